import assert from "node:assert/strict";
import { test } from "node:test";
import { communityBar } from "../../../assets/web/social/community.js";
import { openPage } from "../dom.js";
import { loadWords } from "../words.js";

test("the pictures of the members of a community and the number of the others add up to the number of members", async () => {
	openPage();
	const app = {
		words: await loadWords({ locale: "en-GB", zone: "UTC", areas: ["social", "frame"] }), frame: {}, href: () => "/",
		store: { memberId: 1, session: {}, actionsOn: () => [], service: () => ({ content_source: "/world/panels/social" }) },
	};
	const item = (id, state) => ({ actor: { member_id: id, display_name: `M${id}` }, metadata: { state } });
	const items = [item(9, "requested"), ...[1, 2, 3, 4, 5, 6].map((id) => item(id, "active"))];
	const about = { id: "about", items: [{ id: "c", metadata: { member_count: 6 }, actions: [] }] };
	const node = communityBar(app, { title: "Garden", summary: "6 members", sections: [about, { id: "members", items }] });
	assert.equal(node.querySelectorAll(".avs .av").length, 4);
	assert.match(node.querySelector(".avs").parentNode.textContent, /2 more$/);
	assert.match(node.querySelector(".avs").parentNode.textContent, /M2, M3, M4 and M5/);
});
