import { createCommentVNode, type FunctionalComponent } from "vue";

/** Replaces a component of the theme that pages do without. */
const nothing: FunctionalComponent = () => createCommentVNode();
nothing.inheritAttrs = false;

export default nothing;
