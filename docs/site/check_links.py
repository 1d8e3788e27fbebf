"""Every link, picture, script and style sheet of the pages leads to a file that is there, and to a place in it that is; none leads
to the network but those that a reader follows by hand.

usage: check_links.py HTML_FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.parts = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif values.get("src") or (tag == "link" and values.get("href")):
            self.parts.append(values.get("src") or values["href"])


def fault_of(root, pages, page, link, is_part):
    """Why a link is dead, or nothing."""
    address = urllib.parse.urlsplit(link)
    if address.scheme == "data":
        return None
    if address.scheme or address.netloc:
        return "is fetched from the network" if is_part or address.scheme not in ("https", "mailto") else None
    target = (page.parent / urllib.parse.unquote(address.path)).resolve() if address.path else page
    if not target.is_relative_to(root) or not target.exists():
        return "is not there"
    place = urllib.parse.unquote(address.fragment)
    if place and target in pages and place not in pages[target].places:
        return "is no place of that page"
    return None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(root.rglob("*.html")) if "mathjax" not in path.parts}
    faults = [f"{path.relative_to(root)}: {link} {fault}" for path, page in pages.items()
              for links, is_part in ((page.links, False), (page.parts, True)) for link in links
              if (fault := fault_of(root, pages, path, link, is_part))]
    print("\n".join(faults) or f"{sum(len(page.links) for page in pages.values())} links, none dead")
    sys.exit(1 if faults or not pages else 0)


main()
