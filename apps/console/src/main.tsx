/** Starts the console in its page. */
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/frame.css";
import "./ui/parts.css";
import "./ui/pages.css";
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
