// The search of Find: it runs once for each question, and its results stay while the member
// reads one of them.

const RECENT = 10 * 60_000; // ms for which the results of the server answer the same question

// Search is the state of the latest search of the app, which outlives its views.
export class Search {
	key = ""; // question of the results, "" for none
	status = "idle"; // "idle", "running", "done" or "failed"
	outcome = null; // answer of the server
	error = null;
	findings = [];
	#running = null;

	constructor(app) {
		this.app = app;
	}

	// run sends a search, unless it is the present one. changed is called when the status
	// changes. Options: origin, of a search nearby; panel, the panel of Find; again, to ask the
	// same question again.
	async run({ query, scope, origin }, { panel, again = false, changed }) {
		const key = keyOf(query, scope, origin);
		if (key === this.key && !again && this.status !== "failed") return;
		this.#running?.abort();
		const running = (this.#running = new AbortController());
		Object.assign(this, { key, status: "running", outcome: null, error: null, findings: [] });
		const known = again ? null : latestOf(panel, { query, scope });
		if (known) {
			Object.assign(this, { status: "done", outcome: known, findings: panel.findings });
			return changed();
		}
		changed();
		try {
			const outcome = await this.app.dispatcher.perform(panel.composer.action, {}, { fields: { query, scope, ...(origin && { origin }) }, signal: running.signal });
			if (running.signal.aborted) return undefined;
			Object.assign(this, { status: "done", outcome, findings: outcome?.findings ?? [] });
		} catch (error) {
			if (running.signal.aborted || error.name === "AbortError") return undefined;
			Object.assign(this, { status: "failed", error });
		}
		return changed();
	}

	// clear forgets the results.
	clear() {
		this.#running?.abort();
		Object.assign(this, { key: "", status: "idle", outcome: null, error: null, findings: [] });
	}
}

// keyOf identifies a question. A search everywhere does not depend on the position.
export function keyOf(query, scope, origin) {
	return JSON.stringify([query.trim(), scope, scope === "nearby" && origin ? [origin.latitude, origin.longitude] : null]);
}

// latestOf returns the outcome that the panel has, if its latest search is the same question
// and recent: after a reload of the page, the question is not asked again. A search nearby is
// asked again, because the panel does not tell whether its position is the same.
export function latestOf(panel, { query, scope }, now = Date.now()) {
	const latest = panel?.sections?.find(({ id }) => id === "recent")?.items?.[0];
	if (!latest || scope === "nearby") return null;
	const { scope: asked, applied_scope: applied, status, created_at: at, place } = latest.metadata ?? {};
	if (latest.title !== query.trim() || asked !== scope || status !== "ok" || now - Date.parse(at) > RECENT) return null;
	return { status, applied: { scope: applied, place, origin: null, radius_meters: 0 }, provider_errors: [] };
}
