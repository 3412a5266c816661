import { h } from "vue";
import theme, { VPNavBarSearch } from "vitepress/theme-without-fonts";
import { useData } from "vitepress";
import "./code.css";
import "./site.css";

interface Main {
  readonly text: string;
  readonly link?: string;
}

/** What a wrong address shows: the search, and the page that each menu begins with. */
const notFound = {
  setup: () => {
    const main = (useData().theme.value.nav as readonly Main[]).filter(({ link }) => link !== undefined);
    const links = [{ text: "Home", link: "/" }, ...main].map(({ text, link }) => h("li", h("a", { href: link }, text)));
    return () =>
      h("main", { class: "vp-doc not-found" }, [
        h("h1", "Page not found"),
        h("p", "No page has this address. Search, or start at one of these:"),
        h(VPNavBarSearch),
        h("ul", links),
      ]);
  },
};

export default { ...theme, Layout: () => h(theme.Layout, null, { "not-found": () => h(notFound) }) };
