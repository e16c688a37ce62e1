// German texts of Messages.

// catalog returns words.messages as functions that return texts, see loadWords in words.js.
export const catalog = ({ number, plural }) => ({
	title: () => "Nachrichten",
	find: () => "In diesem Verlauf suchen",
	foundAt: (position, count, isAll) => (isAll
		? `${number(position)} von ${number(count)}`
		: `${number(position)} von mindestens ${number(count)}`),
	foundBefore: () => "Frühere gefundene Nachricht",
	foundAfter: () => "Spätere gefundene Nachricht",
	threads: () => "Verläufe",
	search: () => "In deinen Nachrichten suchen",
	searchShort: () => "Suchen",
	found: (count) => plural(count, { one: "1 Nachricht", other: `${number(count)} Nachrichten` }),
	none: () => "Noch keine Nachrichten",
	noneText: () => "Schreib einem Mitglied dieses Servers.",
	choose: () => "Wähle einen Verlauf",
	older: () => "Ältere Verläufe",
	earlier: () => "Frühere Nachrichten",
	newest: () => "Zur neuesten Nachricht",
	// twoPeople returns the texts before, of and after a link.
	twoPeople: () => ["Ein Verlauf hat genau zwei Personen. Mit mehreren sprichst du, wenn du ", "ein Gespräch beginnst", "."],
	you: () => "Du",
	draft: (text) => `Entwurf: ${text}`,
	direct: (text) => `Direktnachricht · ${text}`,
	log: (name) => `Nachrichten mit ${name}`,
	to: (name) => `Nachricht an ${name}`,
	send: () => "Senden",
	sending: () => "Wird gesendet",
	sendAgain: () => "Noch einmal senden",
	noReply: () => "In diesem Verlauf kannst du nicht antworten.",
	profile: () => "Profil",
	markUnread: () => "Als ungelesen markieren",
	blocked: (name) => `${name} ist blockiert.`,
});
