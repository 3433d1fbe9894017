// Reads the object that milcci put into the page, and builds the page from it.
import type { ReportData } from "./data/format";
import { Report } from "./data/report";
import { themeStyle } from "./draw/theme";
import { State } from "./state";
import "./style.css";
import { h } from "./ui/dom";
import { buildPage } from "./ui/page";

const knownVersion = 1;

function readReport(): Report {
  const text = document.getElementById("milcci-report")?.textContent ?? "";
  let data: ReportData;
  try {
    data = JSON.parse(text) as ReportData;
  } catch {
    throw new Error(
      "The data of this report are damaged: the file was cut or changed. Make it again.",
    );
  }
  if ((data.format as string) !== "milcci-report") {
    throw new Error("This page holds no report of milcci.");
  }
  if (data.version > knownVersion) {
    throw new Error(
      `This report has version ${data.version} of its format, and the page knows ${knownVersion}. ` +
        "Make the report again with one version of milcci.",
    );
  }
  if (data.components.length === 0) throw new Error("The model of this report has no components.");
  return new Report(data);
}

function hash(): string {
  try {
    return location.hash;
  } catch {
    return "";
  }
}

document.head.append(h("style", {}, themeStyle()));
try {
  buildPage(new State(readReport(), hash()));
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(
    h("main", { class: "failed" }, h("h1", {}, "This report cannot be shown"), h("p", {}, text)),
  );
  console.error(error);
}
