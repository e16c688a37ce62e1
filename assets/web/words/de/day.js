// German texts of Today.

// catalog returns words.day as functions that return texts, see loadWords in words.js. Days and times
// are passed as texts.
export const catalog = ({ number, plural }) => ({
	// summary takes the numbers of the remaining entries of the day and of the invitations without an answer.
	summary: (remaining, unanswered) => [
		remaining === 0 ? "" : plural(remaining, {
			one: "Heute steht noch ein Eintrag an.", other: `Heute stehen noch ${number(remaining)} Einträge an.`,
		}),
		unanswered === 0 ? "" : plural(unanswered, {
			one: "Eine Frage wartet auf deine Antwort.", other: `${number(unanswered)} Fragen warten auf deine Antwort.`,
		}),
	].filter(Boolean).join(" ") || "Heute steht nichts mehr an.",
	schedule: () => "Heute",
	nothing: () => "Heute steht nichts an",
	nextIs: (title, when) => `Als Nächstes: ${title}, ${when}.`,
	nothingPlanned: () => "Es ist nichts geplant.",
	firstSteps: () => "Erste Schritte",
	inviteMembers: () => "Mitglieder einladen",
	inviteMembersText: () => "Ein Link für jede Person",
	connectDevice: () => "Telefon oder Rechner verbinden",
	connectDeviceText: () => "Deine Kalender im gewohnten Programm",
	seeMembers: () => "Wer ist hier?",
	seeMembersText: () => "Mitglieder, Gemeinschaften, Veranstaltungen",
	completeProfile: () => "Bild hinzufügen",
	completeProfileText: () => "Und wie andere dich sehen",
	theWeek: () => "Die Woche",
	allActivity: () => "Gesamte Aktivität",
	allTasks: () => "Alle Aufgaben",
	nothingLately: () => "Nichts Neues.",
	nothingToDo: () => "Nichts zu tun.",
	now: (time) => `Es ist ${time}`,
	freeUntil: (time) => `frei bis ${time}`,
	until: (day) => `bis ${day}`,
	allDay: () => "ganztägig",
	whoIsThere: () => "Gerade online",
	noOtherMember: () => "Kein anderes Mitglied ist online.",
	newTask: () => "Neue Aufgabe",
	complete: (title) => `Als erledigt markieren: ${title}`,
	asks: (name) => `${name} lädt dich ein`,
	says: (name, text) => `${name}: ${text}`,
});
