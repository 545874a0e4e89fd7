// SPDX-License-Identifier: MIT
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { listenForFiles } from "./drop";
import { connect } from "./net/link";

connect();
listenForFiles();
render(<App />, document.getElementById("app")!);
