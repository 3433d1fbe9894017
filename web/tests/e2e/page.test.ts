// What the page does, on a small report whose names are as awkward as names can be.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage } from "../../script/fill_page.mjs";
import { deadReport, hardNames, pack, smallReport } from "../fixture";
import { drawAll, openBrowser, openPage } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const html = fillPage(JSON.stringify(smallReport()));
const selectedChannel = '[data-key="search Channel"]';

describe("names", () => {
  it("are text everywhere", async () => {
    const { page, faults } = await openPage(browser, html);
    await drawAll(page);
    expect(await page.title()).toBe('<b>a</b> & "model".h5');
    expect(await page.locator("h1").textContent()).toBe('<b>a</b> & "model".h5');
    const figures = await page.locator("#components svg text").allTextContents();
    for (const name of hardNames.slice(0, 4)) {
      const isShown = (text: string) => {
        const [first = "", last = ""] = text.split("…");
        return name.startsWith(first) && name.endsWith(last) && text.length > 4;
      };
      expect(figures.some(isShown)).toBe(true);
    }
    expect(await page.locator(".news").textContent()).toContain("<i>really</i>");
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("a name with a mark that turns it round", () => {
  it("is shown with the mark as text", async () => {
    const data = smallReport();
    data.channels.names[0] = "\u202elive";
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(data)));
    await drawAll(page);
    const text = await page.evaluate(() => document.body.textContent);
    expect(text).toContain("\\xe2\\x80\\xaelive");
    // It stands in the data and nowhere else.
    const object = await page.locator("#milcci-report").textContent();
    expect(text.split("\u202e").length).toBe(object!.split("\u202e").length);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("options in sentences", () => {
  it("are code, and nothing in them is markup", async () => {
    const data = smallReport();
    data.words.warnings = ["raise `max_iterations` or `<b>x</b>`; a ` alone stays"];
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(data)));
    const item = page.locator(".warnings li");
    expect(await item.innerText()).toBe("raise max_iterations or <b>x</b>; a ` alone stays");
    expect(await item.locator("code").allTextContents()).toEqual(["max_iterations", "<b>x</b>"]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("traces by label", () => {
  it("say that heights under a component's own label cannot be compared", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const warning = page.locator("#traces").getByText("cannot be compared");
    expect(await warning.innerText()).toContain("its own label, side,");
    await warning.scrollIntoViewIfNeeded();
    await page.locator("#traces select").first().selectOption({ label: "dose" });
    await warning.waitFor({ state: "detached" });
    await page.context().close();
  });
});

describe("a label graph", () => {
  it("says why the two cells of a pair differ", async () => {
    const data = smallReport();
    data.categories[1]!.graph = pack([0, 1, 0, 0.5, 0, 0.5, 0, 1, 0], [3, 3]);
    data.categories[0]!.graph = pack([0, 1, 1, 0], [2, 2]);
    const text = fillPage(JSON.stringify(data));
    for (const [hash, isSaid] of [
      ["#component=2", true],
      ["#component=1", false],
    ] as const) {
      const { page, faults } = await openPage(browser, text, { hash });
      await drawAll(page);
      const note = page.locator("#labels figure", { hasText: "Label graph" }).locator(".note");
      expect((await note.innerText()).includes("divided by its sum")).toBe(isSaid);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});

describe("signal to noise", () => {
  it("says which channels have no place on the axis", async () => {
    const data = smallReport();
    data.channels.names = ["a", "b", "c", "d", "e", "f"];
    data.noise!.ratio = [9, 0, 4, 0, 4, null];
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(data)));
    await drawAll(page);
    const ranked = page.locator("#noise figure", { hasText: "Signal to noise, ranked" });
    const note = await ranked.locator(".note").innerText();
    expect(note).toContain("2 channels of which the model describes nothing, ratio 0 (b, d)");
    expect(note).toContain("Not known: 1 channel (f)");
    await ranked.getByRole("button", { name: "Table" }).click();
    expect(await ranked.locator("tbody tr", { hasText: "b" }).innerText()).toContain("ratio 0");
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("the table of components", () => {
  it.each([390, 1440])("has low rows and says where it goes on, at %i pixels", async (width) => {
    const data = smallReport();
    data.channels.names = ["democrat", "libertarian", "republican", "north", "south", "east"].map(
      (name) => `${name} of a long name`,
    );
    const viewport = { width, height: 900 };
    const { page } = await openPage(browser, fillPage(JSON.stringify(data)), { viewport });
    const table = page.locator("table.components");
    const heights = await table
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.clientHeight));
    const isCut = await table.evaluate((one) => one.scrollWidth > one.parentElement!.clientWidth);
    const isSaid = await page.locator("#summary .sideways").isVisible();
    expect(isSaid).toBe(isCut);
    if (isCut) expect(Math.max(...heights)).toBeLessThan(45);
    await page.context().close();
  });

  it("explains its columns", async () => {
    const { page } = await openPage(browser, html);
    const legend = (await page.locator("#summary .marks").allInnerTexts()).join("\n");
    expect(legend).toContain("stability: share of the starts");
    expect(legend).toContain("firmness: what it gains from its own label");
    await page.context().close();
  });

  it("has no green tick where the label is not clear", async () => {
    const data = smallReport();
    data.components[1]!.firmness = 1.2;
    const { page } = await openPage(browser, fillPage(JSON.stringify(data)));
    await drawAll(page);
    const marks = page.locator("table.components .mark");
    expect(await marks.nth(0).innerText()).toBe("✓ firm");
    expect(await marks.nth(1).innerText()).toBe("~ firm, label not clear");
    expect(await page.locator("table.components .good").count()).toBe(1);
    await page.context().close();
  });
});

describe("the selection", () => {
  it("follows the keyboard, is said, and stands in the hash", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    await page.locator("#components canvas").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    expect(await page.getByRole("status").textContent()).toContain(hardNames[1]);
    await page.keyboard.press("Enter");
    expect(await page.locator(selectedChannel).inputValue()).toBe(hardNames[1]);
    await page.waitForFunction(() => location.hash.includes("channel=2"));
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("CANVAS");
    await page.context().close();
  });

  it("is read from the hash", async () => {
    const { page } = await openPage(browser, html, { hash: "#component=2&channel=4" });
    await drawAll(page);
    expect(await page.locator("#components .lead strong").textContent()).toBe("dose 1");
    expect(await page.locator(selectedChannel).inputValue()).toBe(hardNames[3]);
    await page.context().close();
  });

  it("finds a channel by a part of its name", async () => {
    const { page } = await openPage(browser, html);
    await page.locator(selectedChannel).fill("EMOJI");
    await page.keyboard.press("Enter");
    expect(await page.locator(selectedChannel).inputValue()).toBe(hardNames[3]);
    await page.locator(selectedChannel).fill("nobody");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("status").textContent()).toContain("nobody");
    expect(await page.locator(".missed").innerText()).toBe("No channel is called nobody");
    await page.locator(selectedChannel).fill("");
    await page.keyboard.press("Enter");
    expect(await page.locator(".missed").isVisible()).toBe(false);
    await page.context().close();
  });
});

describe("downloads", () => {
  async function download(item: string): Promise<{ name: string; bytes: Buffer }> {
    const { page, faults } = await openPage(browser, html, { colorScheme: "dark" });
    await drawAll(page);
    const menu = page.locator("#components .menu").first();
    await menu.locator("summary").click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      menu.getByRole("button", { name: item }).click(),
    ]);
    const bytes = readFileSync(await saved.path());
    expect(faults).toEqual([]);
    await page.context().close();
    return { name: saved.suggestedFilename(), bytes };
  }

  it("give all numbers as CSV", async () => {
    const { name, bytes } = await download("CSV");
    expect(name).toBe("side-1-memberships.csv");
    const lines = bytes.toString("utf8").trimEnd().split("\r\n");
    expect(lines[0]).toBe("channel,group,option,membership,standard_error");
    expect(lines).toHaveLength(1 + 2 * hardNames.length);
    expect(lines[1]).toBe("</script><script>alert(1)</script>,,left,0.5,");
  });

  it("give an SVG of the width asked for, light and whole", async () => {
    const { bytes } = await download("SVG, 85 mm");
    const text = bytes.toString("utf8");
    expect(text).toMatch(/width="8[45]\.\d\dmm"/);
    expect(text).not.toContain("var(--");
    expect(text).toContain("data:image/png;base64,");
    expect(text).toContain("#1b1f26");
  });

  it("give a PNG of 300 dots per inch", async () => {
    const { bytes } = await download("PNG, 180 mm");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    const width = bytes.readUInt32BE(16);
    expect(Math.abs(width - (180 / 25.4) * 300)).toBeLessThan(5);
  });
});

describe("a model of dead components", () => {
  it("gives figures whose places are all numbers", async () => {
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(deadReport())));
    await drawAll(page);
    // As they are handed to the browser, which saves no more than ten files in a second.
    const texts = await page.evaluate(async () => {
      const saved: Blob[] = [];
      const addressOf = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (file) => {
        if (file instanceof Blob) saved.push(file);
        return addressOf(file);
      };
      const buttons = [...document.querySelectorAll<HTMLButtonElement>(".menu button")];
      const svgButtons = buttons.filter(({ textContent }) => textContent === "SVG, 85 mm wide");
      svgButtons.forEach((button) => {
        button.click();
      });
      URL.createObjectURL = addressOf;
      if (saved.length !== svgButtons.length) throw new Error("a figure was not saved");
      return Promise.all(saved.map((blob) => blob.text()));
    });
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect(text.match(/\w+="[^"]*(NaN|Infinity)[^"]*"/g)).toBeNull();
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("tables", () => {
  it("stand behind each figure, and stay when something else is selected", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const figure = page.locator("#components figure").first();
    await figure.getByRole("button", { name: "Table" }).click();
    expect(await figure.locator("tbody tr").count()).toBe(2 * hardNames.length);
    await page.locator('[data-key="component 1"]').click();
    await drawAll(page);
    expect(await figure.locator("tbody tr").count()).toBe(3 * hardNames.length);
    await page.context().close();
  });
});

describe("years", () => {
  it("are not rounded, in axes, tooltips and tables", async () => {
    const data = smallReport();
    data.traces!.times = [1980, 1985, 1990, 1995];
    data.traces!.has_times = true;
    data.traces!.is_from_start = false;
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(data)));
    await drawAll(page);
    const map = page.locator("#traces figure", { hasText: "Trace in every trial" });
    const texts = await map.locator(".heat-map > svg text").allTextContents();
    const years = texts.filter((text) => /^19\d\d$/.test(text)).map(Number);
    expect(years.length).toBeGreaterThan(3);
    const steps = years.slice(1).map((year, i) => year - years[i]!);
    expect(new Set(steps)).toEqual(new Set([steps[0]]));
    await map.locator("canvas").focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    expect(await page.getByRole("status").textContent()).toContain("time 1985");
    await map.getByRole("button", { name: "Table" }).click();
    expect(await map.locator("tbody tr").nth(1).innerText()).toContain("1985");
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("values of any size", () => {
  it("are drawn with numbers beside them, also squares of femtotesla", async () => {
    const data = smallReport();
    data.summary.iterations = [1, 2, 3].map((iteration) => ({
      iteration,
      stage: 0,
      r2: 0.5,
      objective: { fit: 3e-24 / iteration, total: 4e-24 / iteration },
    }));
    const { page, faults } = await openPage(browser, fillPage(JSON.stringify(data)));
    await drawAll(page);
    expect(await page.locator("#fit figure").count()).toBeGreaterThan(0);
    expect(await page.getByText("could not be drawn").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("where it is shown", () => {
  it("may be twice in one notebook", async () => {
    const { page, faults } = await openPage(browser, "<!doctype html><body></body>");
    await page.evaluate((text) => {
      for (let i = 0; i < 2; ++i) {
        const frame = document.createElement("iframe");
        frame.srcdoc = text;
        frame.style.cssText = "width:100%;height:900px";
        document.body.append(frame);
      }
    }, html);
    for (const i of [0, 1]) {
      const frame = page.locator("iframe").nth(i).contentFrame();
      await frame.locator('[data-key="component 1"]').click();
      await frame.getByRole("link", { name: "Noise" }).click();
      await frame.locator("#noise .uplot").waitFor();
    }
    await page.waitForTimeout(500);
    expect(page.url()).not.toContain("#");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("prints all panels, light", async () => {
    const { page } = await openPage(browser, html, { colorScheme: "dark" });
    const widths = await page.evaluate(() => {
      dispatchEvent(new Event("beforeprint"));
      const pictures = document.querySelectorAll(".heat-map svg");
      return Array.from(pictures, (picture) => picture.getAttribute("width"));
    });
    expect(new Set(widths)).toEqual(new Set(["660"]));
    await page.emulateMedia({ media: "print" });
    for (const body of await page.locator(".panel-body").all()) {
      expect(await body.evaluate((element) => element.childElementCount)).toBeGreaterThan(0);
    }
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(paper).toBe("rgb(255, 255, 255)");
    await page.context().close();
  });

  it("says something without scripts", async () => {
    const { page } = await openPage(browser, html, { javaScriptEnabled: false });
    expect(await page.locator("noscript").innerText()).toContain("Two components.");
    await page.context().close();
  });
});

describe("a page that cannot be shown", () => {
  const messageOf = async (text: string) => {
    const { page } = await openPage(browser, text);
    const message = await page.locator("main").innerText();
    await page.context().close();
    return message;
  };

  it("says that the report is newer", async () => {
    const newer = fillPage(JSON.stringify({ ...smallReport(), version: 2 }));
    expect(await messageOf(newer)).toContain("version 2");
  });

  it("says that the data are damaged", async () => {
    expect(await messageOf(html.replace('{"format"', '{"for'))).toContain("damaged");
  });

  it("says that an array is broken", async () => {
    const data = smallReport();
    data.memberships[0]!.data = "eJwDAAAAAAE=";
    expect(await messageOf(fillPage(JSON.stringify(data)))).toContain("bytes, expected");
  });
});
