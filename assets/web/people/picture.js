// The dialog in which a member chooses a picture.

import { avatar } from "../parts/avatar.js";
import { openDialog } from "../parts/dialog.js";
import { el } from "../parts/el.js";
import { createForm } from "../parts/form.js";

// choosePicture opens a dialog with the file control of an action and a preview of the avatar, and
// performs the action with the chosen file. present has the options of the present avatar, see
// avatar.js. It returns a promise of the data of the response, or of null if the member cancels.
export async function choosePicture(app, action, { present }) {
	const { words } = app;
	let previewURL = ""; // object URL of the chosen file
	const preview = el("div", { class: "picture-preview" }, avatar({ ...present, size: "l" }));
	const control = action.controls.find(({ type }) => type === "file");
	let dialog;
	const form = createForm({
		controls: action.controls, words, submit: words.save(), cancel: () => dialog.close(null),
		changed: () => show(form.file()),
		send: async (body, file) => dialog.close((await app.dispatcher.perform(action, { ...body, [control.id]: file })) ?? {}),
	});

	function show(file) {
		if (previewURL) URL.revokeObjectURL(previewURL);
		previewURL = file && (control.accept ?? []).includes(file.type) ? URL.createObjectURL(file) : "";
		preview.replaceChildren(avatar({ ...present, image: previewURL || present.image, size: "l" }));
	}

	dialog = openDialog({
		words, title: action.label, body: [preview, form.body].flat(), foot: form.foot, form: form.element, isChanged: form.isChanged,
	});
	form.focus();
	const data = await dialog.closed;
	if (previewURL) URL.revokeObjectURL(previewURL);
	return data ?? null;
}
