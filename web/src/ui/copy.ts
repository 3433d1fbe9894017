// A text with a button that copies it.
import { h } from "./dom";

/** Where the clipboard is closed to the page, the text is selected for the reader to copy. */
export function copyable(text: string, what: string, say: (text: string) => void): HTMLElement {
  const content = h("div", { class: "copy-text", dir: "auto" }, text);
  const button = h("button", { type: "button" }, `Copy ${what}`);
  const done = (message: string) => {
    button.textContent = message;
    say(message);
  };
  const selectText = () => {
    getSelection()?.selectAllChildren(content);
    done("Selected: copy it with Ctrl+C");
  };
  button.addEventListener("click", () => {
    // Some browsers have no clipboard at all for a page that is a file.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) selectText();
    else {
      clipboard.writeText(text).then(() => {
        done("Copied");
      }, selectText);
    }
  });
  return h("div", { class: "copy" }, content, button);
}
