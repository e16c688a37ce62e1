package maintext

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
)

func set(text string) map[string]bool {
	m := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		m[word] = true
	}
	return m
}

// Words of class names and ids.
var (
	consentWords = set(`cookie cookies consent gdpr ccpa cmp onetrust cookiebot usercentrics didomi cookielaw cookieconsent
		cookiebanner cookiebar truste trustarc klaro borlabs iubenda quantcast tarteaucitron osano cookieyes`)
	clutterWords = set(`share sharing shares sharebar sharedaddy sharethis addtoany addthis social socials newsletter subscribe
		mailchimp signup breadcrumb breadcrumbs related relatedposts recommended recommendations outbrain taboola disqus comments
		commentlist respond advert adverts advertisement advertising ads adsbygoogle adslot sponsored popup modal lightbox paywall
		offcanvas skip skiplink skiplinks toolbar navbar navigation mainmenu megamenu menubar topbar pagination pager
		mobilemenu submenu dropdown interstitial noprint`)
	frameWords = set(`header footer masthead sidebar widget widgets aside nav subnav topnav sitenav colophon copyright legal
		login toc promo teaser teasers morefrom readmore`)
	hiddenClasses = set(`sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only sr-only-focusable
		u-visually-hidden offscreen element-invisible`)
	iconWords      = set(`icon icons avatar gravatar emoji logo smiley spacer pixel tracking badge spinner loader sprite`)
	publishedWords = set(`published publication pubdate`)
	creditWords    = set(`credit credits copyright photographer fotograf source copy attribution`)
)

// words returns the lower-case words of class names: "cookieBanner" and
// "cookie-banner" have the words "cookie" and "banner".
func words(names string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, lower := -1, false
		for i, r := range names {
			letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
			upper := unicode.IsUpper(r)
			if start >= 0 && (!letter || upper && lower) {
				if !yield(strings.ToLower(names[start:i])) {
					return
				}
				start = -1
			}
			if letter && start < 0 {
				start = i
			}
			lower = letter && !upper
		}
		if start >= 0 {
			yield(strings.ToLower(names[start:]))
		}
	}
}

// namesRule returns the rule for an element by the words of its class names, id and
// label.
func namesRule(names string) pruneRule {
	v := keepAlways
	for word := range words(names) {
		if consentWords[word] {
			return removeUnlessMost
		}
		if clutterWords[word] {
			v = removeUnlessLarge
		}
	}
	return v
}

// hasWord reports whether class names have a word of a set.
func hasWord(names string, set map[string]bool) bool {
	for word := range words(names) {
		if set[word] {
			return true
		}
	}
	return false
}

// Patterns of texts in English, German, French, Spanish and Italian.
var (
	consentText = regexp.MustCompile(`(?i)(we|site|website|partners|page) (and our partners )?uses? cookies|cookie (policy|settings|preferences|consent|notice)|` +
		`(accept|reject|manage|allow|disable|enable) (all |the |your |my )?cookies|` +
		`verwend\w+ (wir )?cookies|cookies? (zu )?(akzeptieren|ablehnen|verwenden)|cookie-?(einstellungen|richtlinie|hinweis)|` +
		`(utilise|utilisons|accepter|refuser|gérer|paramétrer) (tous )?(les |des |vos |nos )?cookies|politique (de|relative aux) cookies|` +
		`(utiliza|utilizamos|usa|usamos|aceptar|rechazar|configurar) (todas )?(las )?cookies|política de cookies|` +
		`(utilizza|usa|utilizziamo|usiamo|accetta|rifiuta|gestisci) (tutti )?(i )?cookie|informativa sui cookie|` +
		`(używa|wykorzystuje|stosuje)\w* (plików|pliki) cookie|gebruik\w* (van )?cookies|use of cookies|uso de cookies|uso dei cookie|einsatz von cookies`)
	consentLabel = regexp.MustCompile(`(?i)^((accept|reject|deny|allow) all|manage (consent|preferences|options)|(privacy|consent) (settings|preferences)|(your|we value your) privacy|` +
		`(alle|alles) (akzeptieren|ablehnen|zulassen)|nur (essenzielle|notwendige).*|datenschutz-?einstellungen|(tout|tous) (accepter|refuser)|continuer sans accepter|` +
		`(aceptar|rechazar) tod[oa]s?|(accetta|rifiuta) tutt[oi]|continua senza accettare|strictly necessary|notwendig|essenziell)[.!]?$`)
	followText = regexp.MustCompile(`(?i)(subscribe|sign up|follow (me|us)|abonnier|anmeld|folge|abonnez|inscrivez|suscr[ií]b|iscriviti|seguici|síguenos).*(newsletter|facebook|instagram|twitter|boletín)`)
	shareText  = regexp.MustCompile(`(?i)^(share|share (this|on|via|to|with|by|it|article|story|post|page)\b.*|tweet( this)?|pin it|email this.*|copy link|link copied.*|` +
		`print( this)?( article| page)?|teilen|(artikel )?(auf|per|bei|via) \w+ teilen|artikel teilen.*|beitrag teilen.*|seite drucken|drucken|` +
		`partager.*|imprimer.*|envoyer par e-?mail|compartir.*|comparte.*|imprimir|condividi.*|stampa|follow us.*|folge uns.*|` +
		`suivez-nous.*|síguenos.*|seguici.*|udostępnij.*|(\d+[.,]?\d*[km]? )?shares?)$`)
	networkText = regexp.MustCompile(`(?i)^((share|tweet|pin|post|teilen|partager|compartir|condividi|send|save|auf|on|via|per|sur|en|su|to|follow|us|opens|in|new|window|` +
		`facebook|twitter|x|instagram|linkedin|pinterest|whats ?app|telegram|e-?mail|mail|reddit|tumblr|xing|messenger|youtube|tik ?tok|` +
		`mastodon|bluesky|threads|flipboard|pocket|print|sms|rss|snapchat|vk|line|viber|signal|copy|link|url|drucken|imprimer|imprimir|stampa|more|mehr)[\s,.:|·•/()+]*)+$`)
	relatedText = regexp.MustCompile(`(?i)^(read (more|also|next|the full)\b.*|see also:.*|related( \w+)?( \w+)?:?|more (from|on|about|stories|news|articles|posts)\b.*|you (may|might) also (like|be interested).*|` +
		`recommended( \w+)?:?|recent (posts|articles|news|comments)|popular (posts|articles|now)|most (read|popular|viewed).*|latest (news|posts|articles|stories)|trending( now)?|up next|don't miss.*|` +
		`mehr zum thema.*|lesen sie (auch|mehr)\b.*|das könnte (sie|dich|ihnen) auch.*|weiterlesen.*|weitere (artikel|beiträge|nachrichten|themen).*|ähnliche (artikel|beiträge).*|verwandte (artikel|themen).*|meistgelesen.*|auch interessant.*|` +
		`(à )?lire (aussi|également|la suite)\b.*|sur le même (sujet|thème).*|articles (similaires|liés|connexes).*|(à )?voir aussi.*|vous aimerez (aussi|peut-être).*|les plus lus.*|` +
		`(leer|lee|lea) (más|también)\b.*|(noticias|artículos|entradas) relacionad[oa]s.*|te (puede|podría) interesar.*|también te puede.*|lo más (leído|visto).*|más información:?|` +
		`leggi (anche|tutto|di più)\b.*|articoli (correlati|simili).*|potrebbe (anche )?interessarti.*|ti potrebbe interessare.*|i più letti.*|` +
		`(przeczytaj|zobacz|czytaj) (także|też|również|więcej)\b.*|tags?:?|filed under:?.*|posted in:?.*|schlagw(orte|örter):?|étiquettes:?|etiquetas:?)$`)
	navText = regexp.MustCompile(`(?i)^(advertisement\b.{0,40}|skip (to|navigation|links).*|(zum|zur|direkt zu\w*) (inhalt|navigation|hauptinhalt).*|aller au contenu.*|ir al contenido.*|saltar al contenido.*|vai al contenuto.*|salta al contenuto.*|` +
		`back to (top|top of page|home|list|overview)|nach oben|zurück( zur \w+)?|haut de page|retour( en haut)?|volver( arriba)?|torna su|menu|menü|menú|close( menu)?|schließen|fermer|cerrar|chiudi|` +
		`search|suche|rechercher|buscar|cerca|log ?in|sign (in|up)( or (join|register|sign up|log in))?|comments are closed.{0,20}|register|anmelden|registrieren|connexion|s'inscrire|iniciar sesión|accedi|` +
		`previous( post| article)?|next( post| article)?|prev|vorheriger?( beitrag| artikel)?|nächster?( beitrag| artikel)?|précédent|suivant|anterior|siguiente|precedente|successivo|` +
		`advertisement|advertising|sponsored( content)?|anzeige|werbung|publicité|publicidad|anuncio|pubblicità|reklama|loading ?[.…]*|play video|view (all|more|gallery)|show (more|all|less)|load more|` +
		`leave a (reply|comment).*|post a comment|add a comment|(no|\d+) comments?|kommentare?( \(\d+\))?|\d+ kommentare?|kommentar (schreiben|hinterlassen)|laisser un commentaire|\d* ?commentaires?|deja un comentario|\d* ?comentarios|lascia un commento|` +
		`subscribe( now| to .{0,60})?|jump to .{0,20}|learn more|you must (be logged|log) in.{0,40}|(subscribe|sign up|anmeldung|inscrivez-vous|suscríbete|iscriviti)\b.{0,60}(newsletter|updates|email|mail|boletín).*|all rights reserved.*|(copyright|©).{0,100}|to top|top)$`)
	homeText  = regexp.MustCompile(`(?i)^(home|homepage|home page|start|startseite|accueil|inicio|portada|strona główna|you are here:?|sie sind hier:?|vous êtes ici ?:?|estás en:?|ti trovi in:?)$`)
	separator = regexp.MustCompile(`\s*[›»>/|→·•]\s*`)
)
