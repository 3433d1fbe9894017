"""Checks links without the network: pages, files and anchors of ours must be there.

    python docs/check_links.py [FOLDER_OF_HTML]

Markdown is checked as GitHub shows it (README and the like, and the sources of the site), and HTML
as it was built. Addresses of others are not visited.
"""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if (name == "href" or name == "src") and value:
                self.links.append(value)


def in_html(folder: Path) -> tuple[int, list[str]]:
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    links = [
        (path, link) for path, page in pages.items() for link in page.links if not is_foreign(link)
    ]
    wrong = []
    for path, link in links:
        parts = urlsplit(link)
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            wrong.append(f"{path.relative_to(folder.resolve())}: {link}: no such file")
        elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
            wrong.append(f"{path.relative_to(folder.resolve())}: {link}: no such place")
    return len(links), wrong


def in_markdown() -> tuple[int, list[str]]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    texts = {
        (ROOT / name): without_blocks((ROOT / name).read_text(encoding="utf-8"))
        for name in listed.stdout.split()
    }
    wrong, n = [], 0
    for path, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "code", text)):
            if is_foreign(link):
                continue
            n += 1
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                wrong.append(f"{path.relative_to(ROOT)}: {link}: no such file")
            elif parts.fragment and parts.fragment not in anchors_of(texts.get(target, "")):
                wrong.append(f"{path.relative_to(ROOT)}: {link}: no such heading")
    return n, wrong


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors_of(text: str) -> set[str]:
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_foreign(link: str) -> bool:
    return bool(urlsplit(link).scheme) or link.startswith("//")


def main() -> int:
    checked = [("Markdown", *in_markdown())]
    if len(sys.argv) > 1:
        checked.append(("HTML", *in_html(Path(sys.argv[1]))))
    for kind, n, wrong in checked:
        print(f"links in {kind}: {n} checked, {len(wrong)} wrong", *wrong, sep="\n  ")
    return int(any(wrong for _, _, wrong in checked))


if __name__ == "__main__":
    sys.exit(main())
