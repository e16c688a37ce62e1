// German texts of the pages of the operator.

// catalog returns words.operator as functions that return texts, see loadWords in words.js. Days, times
// and sizes are passed as texts.
export const catalog = ({ number }) => ({
	all: () => "Alle",
	allOf: (title) => `Alle: ${title}`,
	actions: () => "Aktionen",
	none: () => "Keine",
	unknown: () => "Unbekannt",
	never: () => "nie",
	changed: (name) => `${name} ist geändert.`,
	removed: (name) => `${name} ist entfernt.`,
	deletionKeeps: (name) => `Kalender, Profil und Dateien von ${name} werden gelöscht. `
		+ "Nachrichten und Beiträge bleiben, unter dem Namen „Ehemaliges Mitglied“. Sicherungen enthalten die Daten, solange du sie behältst.",
	codes: () => "Codes",

	// State of the server
	ready: (count, total) => `${number(count)} von ${number(total)} bereit`,
	allReady: () => "keine Störungen",
	someNotReady: () => "einige sind gestört",
	nameHint: (name) => `Der Name dieses Servers ist ${name}. `
		+ "Das ist die Einstellung server-name in appliance.toml, die der Server beim Start liest.",
	noBackup: () => "noch keine automatische Sicherung",
	free: (size) => `${size} frei`,
	databaseSize: (size) => `${size} für die Datenbank`,
	damaged: () => "Beschädigt",
	intact: () => "Unbeschädigt",
	checked: (time) => `geprüft: ${time}`,
	notChecked: () => "seit dem Start nicht geprüft",
	active: (count) => `${number(count)} aktiv`,
	recent: (count) => `${number(count)} in den letzten 24 Stunden`,
	certificate: () => "Zertifikat",
	certificateUntil: () => "gilt bis zu diesem Tag",

	// Members
	findMember: () => "Mitglied finden",
	name: () => "Name",
	email: () => "E-Mail-Adresse",
	role: () => "Rolle",
	wasHere: () => "Zuletzt benutzt",
	joined: () => "Mitglied seit",
	secondFactor: () => "Zweiter Faktor",
	storage: () => "Speicher",
	used: (size, limit) => `${size} von ${limit}`,
	isOperator: () => "Betreiber",
	isMember: () => "Mitglied",
	status: (name) => ({ active: "aktiv", disabled: "gesperrt", deleted: "gelöscht" })[name] ?? name,
	administer: () => "Verwalten",
	added: () => "Das Mitglied ist hinzugefügt.",
	passwordHint: () => "Gib es dem Mitglied, das es später ändern kann. Eine Einladung braucht kein Passwort.",
	deleted: (name) => `${name} ist gelöscht.`,
	resetTitle: (name) => `Neues Passwort für ${name}`,
	resetText: (name) => `Schick ${name} diesen Link. Er gilt einmal, bis morgen.`,

	// Invitations
	invite: () => "Einladen",
	createLink: () => "Link erstellen",
	inviteHint: () => "Leer lassen für alle mit dem Link.",
	invitation: () => "Einladung",
	inviteText: (day, email) => (email
		? `Schick diesen Link an ${email}. Er gilt einmal, bis ${day}.`
		: `Schick diesen Link an eine Person. Er gilt einmal, bis ${day}.`),
	invitationsText: () => "Mit dem Link einer Einladung wird eine Person Mitglied, einmal. Schick ihn so, dass nur sie ihn liest.",
	invitationsLead: () => "Ein Link ist nur zu sehen, wenn er erstellt wird. "
		+ "Geht er verloren, zieh die Einladung zurück und erstelle eine neue.",

	// Backups, map, providers
	backupBegun: () => "Eine Sicherung läuft.",
	backupRunning: () => "Läuft",
	backupFailed: () => "Die letzte Sicherung ist fehlgeschlagen",
	regionsLead: () => "Orte und Kacheln der Karte.",
	importing: () => "wird importiert",
	providersLead: () => "Externe Quellen von Einträgen für alle Mitglieder.",
});
