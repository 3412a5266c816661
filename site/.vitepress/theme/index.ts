import theme from "vitepress/theme";
import "./wide-tables.css";

export default theme;
