import type { Concept, Lexicon } from './concept.ts'

/**
 * The verbs of orders in languages that inflect: `stem.class` stands for the stem with every ending of its class, any
 * other entry for itself. Without accents.
 */

/** Imperatives, infinitives, subjunctives and participles: the forms in which an order is given. */
const ENDINGS: Readonly<Record<string, string>> = {
  'es-ar':
    'a e en ar ad as es arlo arla arlos arlas arle alo ala alos alas ale elo ela elos elas ele enlo enla ado ada ados adas arse ara aran',
  'es-er': 'e a an er ed as erlo erla erlos erlas elo ela alo ala alos alas ido ida idos idas erse era eran',
  'es-ir': 'e a an ir id as irlo irla irlos irlas elo ela alo ala alos alas ido ida idos idas irse ira iran',
  'fr-er': 'e es ez er ees',
  'fr-re': 's ez re e es u ue us ues',
  'it-are': 'a i ino are ate arlo arla arli arle argli alo ala ali ale ato ata ati',
  'it-ere': 'i a ano ere ete erlo erla erli erle ilo ila ili ile',
  'it-ire': 'i a ano ire ite irlo irla irli irle ilo ila ili ile ito ita iti',
  'pt-ar': 'a e em ar ado ada ados adas asse assem',
  'pt-er': 'e a am er ido ida idos idas esse essem',
  'pt-ir': 'e a am ir ido ida idos idas isse issem',
  de: 'e en t et st est',
  nl: ' en t',
  'tr-e':
    ' in iniz ilmeli ilmelidir meli melidir melisin melisiniz mek mesi meniz meni menizi ip sin ebilir ebilirsin eyin eyiniz ilsin ilmesi mesini mesine',
  'tr-a':
    ' in iniz ilmali ilmalidir mali malidir malisin malisiniz mak masi maniz mani manizi ip sin abilir abilirsin ayin ayiniz ilsin ilmasi masini masina',
  pl: 'ij aj ac ic uj owac lij lac nij nac',
}

const VERBS: Partial<Record<Concept, string>> = {
  SEND: `mailed sent sent_over sent_to passed_on forwarded shared uploaded posted published copied_to cc'd handed_over submitted_to mirrored synced relayed transmitted emailed envi.es-ar reenvi.es-ar mand.es-ar remit.es-ir transmit.es-ir compart.es-ir public.es-ar adjunt.es-ar entreg.es-ar haz_llegar hacer_llegar
    hazle_llegar invit.fr-er invit.it-are convid.pt-ar facilit.es-ar comuniqu.es-ar envoy.fr-er envoi.fr-er partag.fr-er publi.fr-er communiqu.fr-er transmettre transmettez transmets
    transmis transmise transmises faire_parvenir faites_parvenir fais_parvenir achemin.fr-er invi.it-are inoltr.it-are condivid.it-ere pubblic.it-are pubblichi
    trasmett.it-ere spedisci spedire spedite carichi girare_a encaminh.pt-ar compartilh.pt-ar partilh.pt-ar repass.pt-ar remet.pt-er divulg.pt-ar
    send.de schick.de verschick.de geschickt gesendet weiterzuleiten weitergeleitet weitergeben weiterzugeben ubermittel ubermitteln
    ubermittelt ubermittle zu_senden zu_schicken freigeb freigeben freizugeben freigegeben freigibst hochgeladen hochzuladen veroffentlich.de
    kopier.de posten gepostet zusenden zuzusenden zukommen_lassen mitteilen mitzuteilen
    sturen gestuurd doorsturen doorgestuurd door_te_sturen verzend.nl verzonden delen gedeeld plaatsen geplaatst publiceer publiceren te_sturen op_te_sturen
    paylas.tr-a yukle.tr-e aktar.tr-a yonlendir.tr-e przesl.pl wysl.pl udostepn.pl opublikuj
    mengirim mengirimkan dikirimkan diteruskan membagikan mengunggah unggah gui_toi gui_den hay_gui phai_gui tai_len gui_ba`,
  PAY: `pid.es-ir pec.pt-ir encomend.pt-ar ordin.it-are encarg.es-ar siparis_ver siparis_verin siparis_et zamowic pesanlah dat_mua اطلب اطلبوا اشتروا 주문하 paid wired transferred_to purchased ordered_from transfer.es-ir transfier.es-er pag.es-ar compr.es-ar abon.es-ar ingres.es-ar vers.fr-er vir.fr-er pay.fr-er paie achet.fr-er regl.fr-er vers.it-are bonific.it-are acquist.it-are pag.it-are
    transfer.pt-ir transfir.pt-er pag.pt-ar compr.pt-ar deposit.pt-ar uberweis.de uberwiesen zu_uberweisen zu_zahlen bezahl.de kauf.de bestell.de betalen betaal overmaken
    overgemaakt over_te_maken maak_over kopen satin_alin ode.tr-e havale_et havale_edin przelac przelej zaplac kupic mentransfer transfer_sejumlah membayar membeli`,
  WIPE: `deleted removed erased wiped purged emptied cancelled revoked elimin.es-ar borr.es-ar cancel.es-ar suprim.es-ir vaci.es-ar supprim.fr-er effac.fr-er annul.fr-er vid.fr-er etre_supprimes cancell.it-are svuot.it-are
    rimuov.it-ere rimosso rimossi apag.pt-ar exclu.pt-ir elimin.pt-ar delet.pt-ar remov.pt-er losch.de geloscht zu_loschen entfern.de zu_entfernen widerruf.de stornier.de verwijderen
    verwijderd te_verwijderen wissen gewist sil.tr-e silinmelidir silinmeli kaldir.tr-a iptal_edin usun.pl skasowac menghapus dihapus hay_xoa phai_xoa`,
  GRANT: `autoriz.es-ar habilit.es-ar desbloque.es-ar aprueb.es-ar autoris.fr-er approuv.fr-er deverrouill.fr-er autorizz.it-are approv.it-are sblocc.it-are
    liber.pt-ar autoriz.pt-ar conced.pt-er genehmig.de freischalt.de freizuschalten goedkeuren goedgekeurd keur_goed yetki_verin zatwierdz przyznaj
    menyetujui berikan_akses cap_quyen`,
  RUN: `executed downloaded_from downloaded_and installed_from opened_in piped ejecut.es-ar instal.es-ar descarg.es-ar descargue visit.es-ar abr.es-ir pulse pinche acced.es-er execut.fr-er telecharg.fr-er install.fr-er visit.fr-er lanc.fr-er ouvrez ouvrir consultez_le
    esegu.it-ire scaric.it-are scarichi install.it-are visit.it-are avvi.it-are apri aprire aprite clicca execut.pt-ar baix.pt-ar instal.pt-ar visit.pt-ar abr.pt-ir rod.pt-ar descarregu.pt-ar fuhr_aus fuhren_sie
    ausfuhr.de auszufuhren ausgefuhrt herunterlad.de herunterzuladen heruntergeladen laden_sie installier.de besuch.de aufzurufen rufen_sie offn.de uitvoeren uit_te_voeren voer_het
    downloaden te_downloaden installeer installeren bezoeken openen indir.tr-e calistir.tr-a ziyaret_edin uruchom.pl pobrac zainstaluj menjalankan mengunduh unduh kunjungi buka_tautan chay_lenh tai_ve truy_cap`,
  FETCH: `copi.es-ar recopil.es-ar extra.es-er consult.es-ar copi.fr-er collect.fr-er recuper.fr-er extray.fr-er copi.it-are raccogli raccogliere estrai estrarre copi.pt-ar colet.pt-ar recolh.pt-er extra.pt-ir
    sammel.de auslese.de auslesen auszulesen kopieer kopieren gekopieerd verzamel verzamelen kopyala.tr-a topla.tr-a skopiuj skopiowac zbierz salin menyalin sao_chep`,
  SHAPE: `dile diles digale dis-lui dites-lui digli ditegli diga-lhe sag_ihm sag_ihr sagen_sie_ihm zeg_hem zeg_haar soyle_ona ona_soyle powiedz_mu скажи_ему скажите_ему قل_له أخبره appended included_in mentioned added_to inserted recommended respond.es-er contest.es-ar escrib.es-ir mencion.es-ar indic.es-ar indique afirm.es-ar asegur.es-ar anad.es-ir inclu.es-ir incluy.es-er agreg.es-ar agregue declar.es-ar suger.es-ir
    mentionn.fr-er precis.fr-er ajout.fr-er indiqu.fr-er affirm.fr-er declar.fr-er inser.fr-er repond.fr-re ecrire inclure incluez inclus signal.fr-er ne_reponds ne_repondez
    menzion.it-are indic.it-are indichi aggiung.it-ere includ.it-ere rispond.it-ere scriv.it-ere dichiar.it-are consigli.it-are afferm.it-are precis.it-are allegare
    respond.pt-er escrev.pt-er mencion.pt-ar acrescent.pt-ar adicion.pt-ar inclu.pt-ir inform.pt-ar declar.pt-ar afirm.pt-ar destaqu.pt-ar
    erwahn.de zu_erwahnen angeben anzugeben gib_an geben_sie hinzufug.de hinzuzufugen fugen_sie fuge_an fuge_hinzu beifug.de anfug.de anzufugen anhang.de anzuhangen antwort.de schreib.de empfehl.de empfiehlst behaupt.de
    vermeld.nl te_vermelden schrijven antwoorden voeg voeg_toe toevoegen toe_te_voegen toegevoegd aanbevelen beveel zet_in noem noemen belirt.tr-e ekle.tr-e yaz.tr-a cevapla.tr-a yanitla.tr-a soyle.tr-e tavsiye_et
    dodac dopisz napisac odpowiedziec odpowiadaj wspomnij polec tambahkan menambahkan sertakan sebutkan menyebutkan sarankan them_vao hay_them hay_viet hay_noi neu_ro`,
  CHANGE: `modific.es-ar modifique restablec.es-er restablezc.es-er cre.es-ar registr.es-ar reserv.es-ar configur.es-ar actualiz.es-ar modifi.fr-er reinitialis.fr-er cre.fr-er enregistr.fr-er
    configur.fr-er modific.it-are cambi.it-are reimpost.it-are registr.it-are prenot.it-are impost.it-are aggiorn.it-are modific.pt-ar alter.pt-ar redefin.pt-ir cri.pt-ar registr.pt-ar agend.pt-ar reserv.pt-ar mud.pt-ar
    zurucksetz.de zuruckzusetzen zuruckgesetzt ander.de geandert zu_andern aktualisier.de eintrag.de einzutragen anleg.de anzulegen einricht.de einzurichten resetten wijzigen gewijzigd aanpassen instellen
    sifirla.tr-a degistir.tr-e ayarla.tr-a olustur.tr-a guncelle.tr-e rezerve_et zmienic zresetuj zresetowac ustaw ubah mengubah atur_ulang dat_lai doi_mat`,
}

const SEPARABLE = /^(?:an|auf|aus|ein|frei|herunter|hinzu|hoch|weiter|zuruck)zu|^te_|^zu_/

/** Forms that are English words: they would turn its nouns into orders. */
const ENGLISH_TOO = new Set(
  'page pages invite eliminate delete remove execute executes installer lance copies indices declare declares precise indicate configure configures modifies modifier change changes include includes cite note code'.split(
    ' ',
  ),
)

export function inflected(list: string): string {
  return list
    .split(/\s+/)
    .flatMap((entry) => {
      const [stem = '', kind] = entry.split('.')
      const endings = kind === undefined ? undefined : ENDINGS[kind]
      return endings === undefined ? [entry] : endings.split(' ').map((ending) => stem + ending)
    })
    .filter((word) => (word.length > 3 || word.charCodeAt(0) > 0x24f) && !ENGLISH_TOO.has(word))
    .join(' ')
}

const CONCEPTS = Object.fromEntries(Object.entries(VERBS).map(([concept, list]) => [concept, inflected(list)]))

const ALL = Object.values(CONCEPTS).join(' ')
/** "Das Skript ist herunterzuladen": the verb itself says must. */
const BINDING = ALL.split(' ').filter((word) => SEPARABLE.test(word))

export const VERB_FORMS: Lexicon = { concepts: { ...CONCEPTS, MUST: BINDING.join(' ') }, cues: { late: ALL } }
