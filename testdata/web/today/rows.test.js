import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { scheduleRows } from "../../../assets/web/today/rows.js";

test("the line below an entry names its calendar before its location", async () => {
	const { app, main } = await openApp({ areas: ["day"] });
	const [start, end, day] = [Date.parse("2026-12-01T16:00:00Z"), Date.parse("2026-12-01T16:45:00Z"), "2026-12-01"];
	const item = { title: "Football", metadata: { calendar_name: "Family", location: "Pembroke" }, actions: [] };
	main.append(scheduleRows(app, { days: [], begun: [], coming: [{ item, start, end, first: day, last: day, isWhole: false }], free: null }));
	assert.equal(main.querySelector(".row-sub").textContent, "Family · Pembroke");
});
