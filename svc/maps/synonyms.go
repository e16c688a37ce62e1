package maps

import (
	"slices"
	"strings"

	"appliance/svc/maps/fold"
)

// Qualities of a match, relative to the same word.
const (
	sameWordQuality     = 1
	abbreviationQuality = 0.97
	otherFormQuality    = 0.9 // another ending or spelling
	translationQuality  = 0.85
	prefixQuality       = 0.7
	typoQuality         = 0.6
	tagQuality          = 0.4 // matches only a tag, such as the brand
	minQuality          = 0.01
)

// abbreviations lists words and their abbreviations, which match each other.
var abbreviations = []string{
	"st, street, saint, sankt, sint, sent", "ste, sainte, suite", "sta, santa", "sto, santo", "s, san, santa, santo, saint, sankt, sint", "ss, santi, saints",
	"str, strasse, street, strada, straat", "rd, road", "av, ave, avda, avd, avenue, avenida, avinguda, aven", "bd, bld, blvd, boul, boulevard, bulevar",
	"pl, plz, place, plaza, platz, plaça, plac", "pza, pzza, piazza, plaza", "sq, square", "ln, lane", "dr, drive, doctor, doktor", "ct, crt, court", "cl, close",
	"cres, crescent", "ter, terr, terrace", "pk, park", "pkwy, parkway", "hwy, highway", "expy, expressway", "fwy, freeway", "mt, mount, mont, monte", "mtn, mountain",
	"ft, fort, fortress", "c, calle, carrer", "cl, calle", "ctra, carretera", "crta, carretera", "pso, paseo", "pg, passeig", "rda, ronda", "urb, urbanización",
	"vle, viale", "cso, corso", "lgo, largo", "vlo, vicolo", "ch, chemin", "chem, chemin", "imp, impasse", "rte, route", "fg, faubourg", "fbg, faubourg", "qu, quai",
	"all, allee, allée", "hbf, hauptbahnhof", "bhf, bahnhof", "bf, bahnhof", "univ, university, universität, université, universidad", "uni, university, universität",
	"hosp, hospital", "natl, nat, national", "intl, international", "gen, general, général, generale", "prof, professor", "sgt, sergeant", "cpt, capt, captain",
	"col, colonel", "msgr, mgr, monsignor, monsinjur", "fr, father", "jct, junction", "stn, sta, station", "rwy, railway", "br, bridge", "ctr, center, centre",
	"bldg, building", "apt, apartment", "n, north", "e, east", "w, west", "gde, grande", "pt, point, petit", "dept, department", "and, und, et, y, e, u",
}

// translations lists words with the same meaning that are frequent in names of
// streets and sights: in English, German, French, Spanish, Italian, and some other
// languages.
var translations = []string{
	// Streets and squares.
	"street, strasse, rue, calle, via, triq, carrer, rua, straat, ulica, gata, road, route, strada, carretera, weg, chemin, camino, vjal, cami",
	"avenue, allee, avenida, viale, avinguda, vjal, alameda", "square, platz, place, plaza, piazza, pjazza, misraħ, plaça, praça, plein",
	"lane, alley, gasse, ruelle, callejón, vicolo, sqaq, steeg", "promenade, seafront, uferpromenade, front de mer, paseo, passeig, lungomare, xatt, strand, quay, kai, quai",
	"hill, hügel, colline, colina, collina, telgħa, għolja", "stairs, steps, treppe, escalier, escaleras, scala, scalinata, taraġ", "bridge, brücke, pont, puente, ponte, pontijiet",
	"gate, tor, porte, puerta, porta, bieb, portal", "wall, walls, mauer, mauern, remparts, rempart, muralla, murallas, mura, swar, bastion, bastions, bastionen, baluarte, bastione",

	// Buildings.
	"church, kirche, église, iglesia, chiesa, knisja, església, igreja, kerk",
	"cathedral, kathedrale, cathédrale, catedral, cattedrale, katidral, dom, duomo, cocathedral, konkathedrale, kokathedrale, cocathédrale, concatedral, concattedrale, konkatidral",
	"co, con, kon, ko", "chapel, kapelle, chapelle, capilla, cappella, kappella, capella, ermita", "parish, pfarr, paroisse, paroissiale, parroquia, parroquial, parrocchia, parrocchiale, parroċċa, parrokkjali",
	"basilica, basilika, basilique, basílica, bażilika", "sanctuary, shrine, heiligtum, wallfahrtskirche, sanctuaire, santuario, santuari, santwarju",
	"monastery, convent, kloster, monastère, couvent, monasterio, convento, monastero, kunvent, abbey, abtei, abbaye, abadía, abbazia, monestir",
	"palace, palast, palais, palacio, palazzo, palazz, palau", "castle, schloss, burg, château, castillo, castello, kastell, castell",
	"fort, fortress, festung, forteresse, fuerte, fortaleza, forte, fortezza, forti, fortizza", "citadel, zitadelle, citadelle, ciudadela, cittadella, ċittadella, gran castello",
	"tower, turm, tour, torre, torri", "temple, temples, tempel, templo, templos, tempio, templi, tempju, tempji, temple", "house, haus, maison, casa, dar, ca, huis", "villa, ville, villen",
	"museum, musée, museo, mużew, museu", "theatre, theater, théâtre, teatro, teatru, teatre", "library, bibliothek, bibliothèque, biblioteca, biblijoteka",
	"hospital, krankenhaus, hôpital, ospedale, sptar", "school, schule, école, escuela, scuola, skola, escola", "university, universität, université, universidad, università, universitat",
	"market, markt, marché, mercado, mercato, suq, mercat", "hall, halle, saal, salle, sala", "station, bahnhof, gare, estación, stazione, estació, stazzjon",
	"airport, flughafen, aéroport, aeropuerto, aeroporto, ajruport", "lighthouse, leuchtturm, phare, faro, fanal", "windmill, mill, windmühle, mühle, moulin, molino, mulino, mitħna, molí",
	"aqueduct, aquädukt, aqueduc, acueducto, acquedotto, akwedott", "fountain, brunnen, fontaine, fuente, fontana, funtana, font", "stadium, stadion, stade, estadio, stadio, estadi",
	"parliament, parlament, parlement, parlamento", "cemetery, friedhof, cimetière, cementerio, cimitero, ċimiterju", "catacombs, catacomb, katakomben, catacombes, catacumbas, catacombe, katakombi",
	"hypogeum, hypogäum, hypogée, hipogeo, ipogeo, ipoġew", "monument, denkmal, monumento, monument", "memorial, gedenkstätte, mémorial, memoriale, mafkar", "ruins, ruinen, ruines, ruinas, rovine, fdalijiet",
	"bell, glocke, cloche, campana, qanpiena", "baths, bäder, therme, thermen, bains, thermes, baños, termas, terme, banys", "prison, gefängnis, cárcel, prigione, ħabs", "centre, center, zentrum, centro, ċentru",
	"aquarium, acuario, acquario, akkwarju", "village, dorf, pueblo, villaggio, raħal, poble", "city, town, stadt, ville, ciudad, città, belt, ciutat", "armoury, waffenkammer, rüstkammer, armurerie, armería, armeria",
	"hostel, inn, auberge, herberge, albergue, albergo, berġa", "government, regierung, gouvernement, gobierno, governo, gvern, govern", "council, rat, conseil, consejo, consiglio, kunsill, consell",
	"casemates, kasematten, casamatas, casematte",

	// Nature.
	"garden, gardens, garten, gärten, jardin, jardins, jardín, jardines, giardino, giardini, ġnien, ġonna, jardí", "park, parc, parque, parco, park", "island, insel, île, isla, isola, gżira, illa",
	"islands, inseln, îles, islas, isole, gżejjer", "bay, bucht, baie, bahía, baia, bajja, cala, badia", "beach, strand, plage, playa, spiaggia, bajja, ramla, platja",
	"harbour, harbor, port, hafen, puerto, porto, port", "cave, grotto, höhle, grotte, cueva, gruta, grotta, għar, cova", "lake, lakes, see, seen, lac, lacs, lago, lagos, laghi, estany, estanys, llac",
	"mountain, mount, berg, montagne, mont, montaña, monte, montagna, muntanya", "peak, gipfel, spitze, pic, pico, cima, picco, pic", "river, fluss, rivière, fleuve, río, fiume, xmara, riu",
	"valley, tal, vallée, valle, vall, wied", "pass, col, puerto, passo, coll, port", "forest, wood, woods, wald, forêt, bosque, foresta, bosco, bosc, foresta", "spring, quelle, source, fuente, sorgente, għajn, font",
	"cliff, cliffs, klippe, klippen, falaise, falaises, acantilado, acantilados, scogliera, scogliere, rdum, irdum", "cape, kap, cap, cabo, capo, ras, point, punta, ponta", "lagoon, lagune, laguna, lagon",
	"window, fenster, fenêtre, ventana, finestra, tieqa", "rock, fels, felsen, rocher, roche, roca, roccia, ġebla", "waterfall, wasserfall, cascade, cascada, cascata", "sea, meer, mer, mar, mare, baħar",
	"coast, küste, côte, costa, kosta", "nature, natur, naturaleza, natura", "reserve, reservat, schutzgebiet, naturschutzgebiet, réserve, reserva, riserva, riżerva", "viewpoint, aussichtspunkt, belvédère, mirador, belvedere, point de vue",
	"pool, becken, piscine, piscina", "inland, binnen, interior, interne", "hut, hütte, refuge, refugio, rifugio, refugi", "shelter, schutzraum, abri, refugio, rifugio, xelter",

	// Attributes.
	"old, alt, alte, alter, altes, vieux, vieille, ancien, ancienne, viejo, vieja, antiguo, antigua, vecchio, vecchia, antico, antica, antik, vell, vella", "new, neu, neue, neuer, neues, nouveau, nouvelle, nuevo, nueva, nuovo, nuova, ġdid, ġdida, nou, nova",
	"upper, ober, obere, oberer, oberen, supérieur, supérieurs, supérieure, haut, hauts, haute, superior, superiores, alto, altos, superiore, superiori, fuq",
	"lower, unter, untere, unterer, unteren, inférieur, inférieurs, inférieure, bas, basse, inferior, inferiores, bajo, inferiore, inferiori, basso, isfel",
	"grand, great, gross, grosse, grosser, grossen, grande, gran, grandi, kbir, kbira", "little, small, klein, kleine, kleiner, petit, petite, pequeño, pequeña, piccolo, piccola, żgħir, żgħira",
	"national, nazionale, nacional, nationale, nazzjonali", "royal, königlich, königliche, royale, real, reale, rjali", "roman, römisch, römische, römisches, romain, romaine, romano, romana, ruman",
	"archaeology, archäologie, archéologie, arqueología, archeologia, arkeoloġija", "archaeological, archäologisch, archäologische, archäologisches, archéologique, arqueológico, archeologico",
	"history, geschichte, histoire, historia, storia, storja", "natural, natur, naturelle, naturel, naturale, naturali", "maritime, maritim, marine, schifffahrtsmuseum, marítimo, marittimo, marittimu, naval",
	"war, krieg, kriegs, kriegsmuseum, guerre, guerra, gwerra", "art, arts, kunst, arte, arti, belle", "fine, schöne, schönen, beaux, bellas, belle", "blue, blau, blaue, bleu, bleue, azul, blu, azzurro, azzurra, azure, azur, blaues, blauer, żerqa, blava",
	"red, rot, rote, roter, rouge, rojo, roja, rosso, rossa, aħmar, ħamra, roig", "white, weiss, weisse, weisser, blanc, blanche, blanco, blanca, bianco, bianca, abjad, bajda", "black, schwarz, schwarze, noir, noire, negro, negra, nero, nera, iswed, sewda",
	"green, grün, grüne, vert, verte, verde, ħadra, aħdar, verd", "golden, goldene, goldener, doré, dorée, dorado, dorada, dorato, dorata", "holy, heilig, heilige, heiliger, saint, sainte, sacré, sagrado, sacro, qaddis",
	"folklore, volkskunde, volkskundemuseum, folk", "motor, automobile, automobil, auto, automóvil, automobili", "classic, klassisch, classique, clásico, classico", "car, cars, auto, autos, coche, coches, voiture, voitures, macchine",
	"toy, toys, spielzeug, spielzeugmuseum, jouet, jouets, juguete, juguetes, giocattolo, giocattoli", "postal, post, postale, philatelic", "military, militär, militaire, militar, militare",
	"megalithic, megalithisch, megalithische, mégalithique, mégalithiques, megalítico, megalíticos, megalitico, megalitici", "north, nord, norte, tramuntana", "south, süd, sud, sur", "east, ost, est, este", "west, ouest, oeste, ovest",
	"grandmaster, grandmasters, grossmeister, grossmeisterpalast, maître, maestre, maestro", "master, meister, magistral", "knight, knights, ritter, chevalier, chevaliers, caballero, caballeros, cavaliere, cavalieri, kavallieri",
	"king, könig, roi, rey, re", "queen, königin, reine, reina, regina", "prince, prinz, príncipe, principe", "republic, republik, république, república, repubblica, repubblika", "liberty, freedom, freiheit, liberté, libertad, libertà, ħelsien",
	"independence, unabhängigkeit, indépendance, independencia, indipendenza, indipendenza", "victory, sieg, victoire, victoria, vittoria, vitorja", "constitution, verfassung, constitución, costituzione, constitució", "merchants, merchant, kaufleute, marchands, mercanti, merkanti",
	"main, haupt, principale, principal, prinċipali, principale", "saluting, salut, salutation", "battery, batterie, batería, batteria", "people, volk, peuple, pueblo, popolo, poble", "underground, unterirdisch, souterrain, subterráneo, sotterraneo",

	// Saints.
	"saint, st, sankt, sainte, san, santo, santa, sant, sint, são, qaddis, saints", "john, johannes, johann, johannis, jean, juan, giovanni, joan, ġwann, joão, ivan, jan", "paul, paulus, pauls, pablo, paolo, pau, pawl, pavel",
	"peter, petrus, peters, pierre, pedro, pietro, pere, pietru", "mary, maria, marie, marien, marija, madonna, marys", "joseph, josef, josé, giuseppe, josep, ġużepp, józef", "james, jakob, jakobus, jacques, santiago, giacomo, jaume, ġakbu",
	"george, georg, georges, jorge, giorgio, jordi, ġorġ", "lawrence, laurentius, lorenz, laurent, lorenzo, llorenç, lawrenz", "michael, michel, miguel, michele, miquel, mikiel", "nicholas, nikolaus, nicolas, nicolás, nicola, nicolau, nikola",
	"francis, franz, franziskus, françois, francisco, francesco, francesc, franġisk", "dominic, dominikus, dominique, domingo, domenico, duminku", "augustine, augustinus, augustin, agustín, agostino, wistin", "catherine, katharina, catalina, caterina, katarina",
	"anne, anna, ana", "lucy, lucia, lucie, luċija, llúcia, lucía", "martin, martín, martino, martí", "stephen, stephan, stefan, étienne, esteban, stefano, esteve, stiefnu", "andrew, andreas, andré, andrés, andrea, andreu, andrija",
	"philip, philipp, philippe, felipe, filippo, felip, filippu", "elizabeth, elisabeth, isabel, elisabetta, eliżabetta", "anthony, antonius, anton, antoine, antonio, antoni, anglu, antnin", "charles, karl, carlos, carlo, carles",
	"louis, ludwig, luis, luigi, lluís, alwiġi", "sebastian, sébastien, sebastián, sebastiano, sebastià, bastjan", "thomas, tomás, tommaso, tomàs, tumas", "mark, markus, marc, marcos, marco, marku", "matthew, matthäus, matthieu, mateo, matteo, mattew",
	"luke, lukas, luc, lucas, luca, luqa", "gregory, gregor, grégoire, gregorio, girgor", "agatha, agathe, águeda, agata", "helen, helena, hélène, elena, liena", "clement, clemens, clément, clemente, klement", "benedict, benedikt, benoît, benito, benedetto",
	"bernard, bernhard, bernardo, bernat", "vincent, vinzenz, vicente, vincenzo, vicenç", "teresa, theresia, thérèse, tereża", "margaret, margarete, marguerite, margarita, margherita, margerita", "rochus, roch, roque, rocco, rokku", "roman, romà, romain, romano",
	"julian, julien, julián, giuliano, julià, ġiljan", "publius, publio, publio, pupliju", "elmo, elmus, elme, telmo, iermu", "angelo, angel, engel, ange, ángel, anġlu, anglu", "columba, kolumba, colombe, colomba, coloma, columbanus", "christopher, christophorus, christophe, cristóbal, cristoforo", "trinity, dreifaltigkeit, trinité, trinidad, trinità, trinità",
	"assumption, himmelfahrt, mariä himmelfahrt, assomption, asunción, assunzione, assunta", "lady, dame, señora, signora, frau, liebfrauen, sinjura", "our, notre, nuestra, nostra, unsere, unserer, senyora", "cross, kreuz, croix, cruz, croce, salib, creu",
	"shipwreck, schiffbruch, naufrage, naufragio, nawfraġju", "jesuit, jesuits, jesuiten, jesuitenkirche, jésuites, jesuitas, gesuiti, ġiżwiti", "carmelite, carmelites, karmeliter, karmelitenkirche, carmes, carmelitas, carmelitani, karmelitani, carmel, carmine, karmnu",
	"heart, herz, cœur, corazón, cuore, qalb", "king, christ, christus, cristo, kristu", "angels, engel, anges, ángeles, angeli, anġli", "saviour, salvator, erlöser, sauveur, salvador, salvatore, salvatur", "sisters, schwestern, soeurs, hermanas, sorelle",
}

// synonym is a word with the meaning of another.
type synonym struct {
	word    string
	quality float64
}

// synonyms maps folded words to their synonyms, in the order of the lists.
var synonyms = func() map[string][]synonym {
	all := make(map[string][]synonym)
	for _, lists := range []struct {
		quality float64
		rows    []string
	}{{abbreviationQuality, abbreviations}, {translationQuality, translations}} {
		for _, list := range lists.rows {
			var row []string
			for item := range strings.SplitSeq(list, ",") {
				if folded := fold.Words(item); len(folded) == 1 { // a phrase cannot match one word
					row = append(row, folded[0])
				}
			}
			for _, word := range row {
				for _, other := range row {
					addSynonym(all, word, synonym{other, lists.quality})
				}
			}
		}
	}
	return all
}()

func addSynonym(all map[string][]synonym, word string, s synonym) {
	if s.word == word {
		return
	}
	if i := slices.IndexFunc(all[word], func(known synonym) bool { return known.word == s.word }); i >= 0 {
		all[word][i].quality = max(all[word][i].quality, s.quality)
		return
	}
	all[word] = append(all[word], s)
}

// particles are words that a query may omit: articles, prepositions and conjunctions.
var particles = wordSet(`a al am an and at am auf aus bei by d da dal dall de degli dei del dell della delle dello dem den der des di die do dos du e ed
	el els en et for from gli i id ig ij ik il im in iż iz ix ir is it i l la las le les lo los near nel nella of on os s sul ta tal tas tat taz tax tad tar the
	to u ub um und van vom von y zu zum zur à`)

// streetWords are types of streets. A name is found without them.
var streetWords = wordSet(`street strasse rue calle via triq carrer rua straat ulica gata road route strada carretera weg chemin camino avenue allee
	avenida viale avinguda lane alley gasse vicolo sqaq str rd av ave st`)

func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range fold.Words(text) {
		set[word] = true
	}
	return set
}
