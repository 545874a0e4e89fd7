// SPDX-License-Identifier: MIT
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { connect } from "./net/link";

connect();
render(<App />, document.getElementById("app")!);
