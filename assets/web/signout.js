// Asks before a sign-out on a page of the server that removes changes of members which this browser has not
// sent. The attribute data-unsent of the form contains the question, with %s for the names and numbers, and
// data-base the path of the server.

import { databaseName } from "./world/cache.js";
import { Database } from "./world/database.js";
import { unsentCounts } from "./world/unsent.js";

const form = document.querySelector("form[data-unsent]");
form.addEventListener("submit", async (event) => {
	event.preventDefault();
	const { base, unsent } = form.dataset;
	const members = await unsentCounts(new Database(databaseName(base)));
	const text = members.map(({ name, count }) => `${name || "?"}: ${count}`).join(", ");
	if (members.length === 0 || confirm(unsent.replace("%s", text))) form.submit(); // without another submit event
});
