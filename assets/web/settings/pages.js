// Panels in pages, and the types of their forms, without DOM.

// mergePages returns one panel with the sections and lists of several pages of it. lists are
// the names of the lists. Everything else is that of the first page, but for `page`, which
// is that of the last one.
export function mergePages(pages, lists = []) {
	const [first, ...others] = pages;
	if (others.length === 0) return first;
	const merged = { ...first, page: pages.at(-1).page };
	const all = (name) => pages.flatMap((page) => page[name] ?? []);
	for (const name of lists) merged[name] = all(name);
	merged.sections = first.sections.map((section) => ({ ...section, items: pages.flatMap((page) => page.sections?.find(({ id }) => id === section.id)?.items ?? []) }));
	return merged;
}

// TYPES are the types of the actions whose forms have other names than their types.
const TYPES = {
	sign_out: "member.sign_out", sign_out_others: "member.sessions.delete_others", sign_out_everywhere: "member.sessions.delete_all", back_up: "admin.backup.create",
	invite: "admin.invitation.create", add_member: "admin.member.add", empty_trash: "empty_trash", create_calendar: "create_calendar", block: "social.block",
};

// typed returns a form of a panel with the type of its action: a panel says submit_form for
// all. The type decides whether the app asks first, and whether it may repeat a request.
// Forms of settings have the prefix "member", forms on a member "admin.member".
export function typed(form, prefix) {
	return { ...form, type: TYPES[form.id] ?? `${prefix}.${form.id}` };
}

// formOf returns the form of a panel or of an item with an id, or undefined.
export function formOf(owner, id, prefix = "member") {
	const form = owner?.action_descriptors?.find((descriptor) => descriptor.id === id);
	return form && typed(form, prefix);
}

// deviceIcon returns the icon of a device or a browser, by what its name contains.
export function deviceIcon(name) {
	if (/ipad|tablet|kindle/i.test(name)) return "tablet";
	if (/iphone|android|phone|mobile|handy|pixel|galaxy/i.test(name)) return "device";
	if (/curl|program|script|bot|api/i.test(name)) return "server";
	return "laptop";
}

// detailOf returns the parts of a summary after the first one, which is the time of an entry.
export function detailOf(summary) {
	return (summary ?? "").split(" · ").slice(1).join(" · ");
}

// platformOf returns the steps to show first, by the user agent of the browser: those for the
// device that the member holds, or those for an iPhone, which is set up with a code.
export function platformOf(userAgent) {
	if (/iphone|ipad/i.test(userAgent)) return "iphone";
	if (/android/i.test(userAgent)) return "android";
	if (/macintosh|mac os x/i.test(userAgent)) return "mac";
	return "iphone";
}

// usedShare returns the used part of a limit, from 0 to 1, or 0 without a limit.
export function usedShare({ used_bytes: used, limit_bytes: limit } = {}) {
	return limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0;
}

// spaced returns a key in groups of four letters, which are easier to type. Apps ignore the
// spaces.
export function spaced(key) {
	return key.match(/.{1,4}/g)?.join(" ") ?? key;
}
