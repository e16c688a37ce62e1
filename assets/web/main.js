// The entry point of the web app.

import { App } from "./app.js";

export const app = new App({ ...document.documentElement.dataset });

// opened is resolved when the app shows its first screen, has restored all stored data, and
// follows changes.
export const opened = app.open().catch((error) => {
	const start = document.querySelector("#start") ?? document.querySelector("main");
	start?.append(error.message);
	reportError(error);
});
