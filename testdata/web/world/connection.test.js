import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../../assets/web/world/connection.js";

// open returns a connection with a clock, and the states that it has reported.
function open(t, { lastContact = 0 } = {}) {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const device = { now: 5000, hasNetwork: true, events: new EventTarget(), contacts: [] };
	const stored = { lastContact: async () => lastContact, setContact: (time) => device.contacts.push(time) };
	const connection = new Connection({ memberCache: stored, unreachableDelay: 3000, now: () => device.now, events: device.events, hasNetwork: () => device.hasNetwork });
	const states = [];
	connection.subscribe(({ state }) => states.push(state));
	return { connection, states, device };
}

test("one failure followed by a response is not noticed", (t) => {
	const { connection, states } = open(t);
	connection.setContact(false);
	t.mock.timers.tick(2000);
	connection.setContact(true);
	t.mock.timers.tick(5000);
	assert.deepEqual(states, []);
});

test("a server that does not respond is unreachable until its next response", (t) => {
	const { connection, states, device } = open(t);
	connection.setContact(true);
	device.now = 9000;
	connection.setContact(false);
	t.mock.timers.tick(3000);
	assert.deepEqual([states, connection.lastContact, connection.since], [["unreachable"], 5000, 9000]);
	device.now = 10_000;
	connection.setContact(true);
	assert.deepEqual([states, connection.lastContact, connection.since], [["unreachable", "online"], 10_000, 10_000]);
	assert.deepEqual(device.contacts, [5000, 10_000]);
});

test("a device without a network is offline at once, with the time of the last visit", async (t) => {
	const { connection, states, device } = open(t, { lastContact: 1234 });
	device.hasNetwork = false;
	await connection.start();
	assert.deepEqual([connection.state, connection.lastContact], ["offline", 1234]);
	device.hasNetwork = true;
	connection.setContact(false);
	assert.deepEqual(states.at(-1), "unreachable");
	connection.setContact(true);
	device.hasNetwork = false;
	device.events.dispatchEvent(new Event("offline"));
	assert.equal(connection.state, "offline");
});
