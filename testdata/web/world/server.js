// A scripted server for the tests, and records of it.

import { createServer } from "node:http";

// start starts a server. `respond` is called with each request, which has its body as `text`,
// and the response. The result has the origin, the requests so far, and a function that waits
// for a condition on them.
export async function start(t, respond) {
	const requests = [];
	const waiting = new Set();
	const server = createServer(async (request, response) => {
		request.text = Buffer.concat(await request.toArray()).toString();
		requests.push(request);
		for (const check of waiting) check();
		await respond(request, response);
	});
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const until = (condition) =>
		new Promise((done) => {
			const check = () => condition(requests) && (waiting.delete(check), done());
			waiting.add(check);
			check();
		});
	return { origin: `http://127.0.0.1:${server.address().port}`, requests, until };
}

// json sends a response with JSON.
export function json(response, status, data, headers = {}) {
	response.writeHead(status, { "Content-Type": "application/json", ...headers });
	response.end(data === undefined ? undefined : JSON.stringify(data));
}

// queue returns a function that is called with values, and one that waits for the next value.
export function queue() {
	const values = [];
	const waiting = [];
	const put = (value) => (waiting.length > 0 ? waiting.shift()(value) : values.push(value));
	const next = () => (values.length > 0 ? Promise.resolve(values.shift()) : new Promise((done) => waiting.push(done)));
	return { put, next, values };
}
