import { render } from "preact";
import { App } from "./app.js";
import { start } from "./start.js";
import { startKeyboard } from "./keyboard/shortcuts.js";

const place = document.getElementById("page");
if (place !== null) {
  startKeyboard();
  render(<App />, place);
  void start();
}
