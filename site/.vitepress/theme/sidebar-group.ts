import { useData } from "vitepress";
import { defineComponent, h, type PropType } from "vue";

interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** A group of pages in the sidebar. That of the theme can also collapse and nest, for which each link is four elements in each page. */
export default defineComponent({
  props: { item: { type: Object as PropType<Group>, required: true } },
  inheritAttrs: false,
  setup(props) {
    const { page } = useData();
    const current = () => `/${page.value.relativePath.replace(/(?:\/index)?\.md$/, "")}`;
    return () =>
      h("section", { class: "side" }, [
        h("h2", props.item.text),
        ...props.item.items.map(({ text, link }) =>
          h("a", { href: link, "aria-current": link === current() ? "page" : undefined }, text),
        ),
      ]);
  },
});
