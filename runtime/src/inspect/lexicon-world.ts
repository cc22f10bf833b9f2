import { WORLD_FUNCTION_WORDS } from '../language/function-words.ts'
import type { Lexicon } from './concept.ts'
import { LANGUAGE_WORDS } from './lexicon-languages.ts'
import { READING } from './lexicon-reading.ts'
import { VERB_FORMS } from './lexicon-verbs.ts'

/** The override, order and act words of other languages. Latin words are without accents; other scripts are stems. */
const LISTS: Lexicon = {
  concepts: {
    VOID: `laisse_tomber laissez_tomber lass_liegen hor_damit_auf hort_auf deixa_de_lado ignoriamo
      olvidate desestima omite omitir
      vergessen
      esquecer esquece
      zaboravi zaboravite ignorisi
      hay_quen hiraukan
      unohda ohita jata_huomiotta glem felejtsd hagyd_figyelmen
      abweichend lasst_hinter lassen_sie verwerfe verwirf streichen disregarde
      забуд не_обращай проигнорир пренебрег отмени ігнор
      従わない 取り消 따르지_마 무시하 انس_ تجاهلوا
      אל_תתייחס התעלם שכח नज़रअंदाज भूल_जा ไม่ต้องสนใจ αγνόησε αγνοήστε ξέχασε উপেক্ষা
      نادیده_بگیر ігноруй знехтуй injoro puuza balewalain huwag_pansinin نظر_انداز புறக்கணி విస్మరించ दुर्लक्ष અવગણ လျစ်လျူရှု nezere_alma ignoreer prezri ignoruok eira zanemari занемари игнориш hunsaðu hunsa უგულებელყ անտեսիր yoksay passez_outre lass_ausser_acht zanedbej ya_no_importa ya_no_importan no_tiene_importancia n'a_plus_d'importance n'est_plus_valable ne_compte_plus ne_comptent_plus non_conta_piu non_contano_piu non_vale_piu ja_nao_importa nao_importa_mais nao_vale_mais spielt_keine_rolle ist_hinfallig
      keine_rolle_mehr doet_er_niet_meer niet_meer_toe niet_langer_van_belang artik_onemli_degil gecersizdir onemli_degil nie_ma_juz_znaczenia khong_con_quan_trong tidak_lagi_penting
      уже_не_важно больше_не_важно не_имеет_значения もう重要では もはや重要では は忘れて 더_이상_중요하지 더_이상_유효하지 لم_يعد_مهم لم_تعد_مهم`,
    PRIOR: `antes precedentes_instructions
      vorher vorangegangenen vorangehenden vorigen davor
      prima prethodne
      truoc phia_tren ovenstaende edelliset aiemmat forrige
      predchadzajuce dije digo dijo que_dije gesagte iniciales ursprunglichen
      прошл вище 前の 先の 今まで
      القديمة הקודמות הקודם לעיל पिछली उपरोक्त ก่อนหน้า ข้างต้น προηγούμενες পূর্ববর্তী
      قبلی پیشین раніш awali zilizopita nauna nakaraan پچھل முந்தைய మునుపటి मागील અગાઉ ယခင် evvelki anteriors meparshme prejsnja ankstesnius ankstesnes ieprieksejas varasemad eelnevad korabbi elozo tidligere predesle προηγούμεν הקודמ fruhere recues recu recibiste recibido recebeu ricevuto erhalten_hast получил wa_awali te_dieron 受け取った 받은 sebelum_ini pedido pediram demande_plus_tot fruher dito dicho_hasta detto_finora сказано 言った 말한 foi_dito ate_aqui hasta_aqui bis_hierher auparavant onceden wczesniej sebelumnya_diminta vorher_verlangt 앞서 سابقا quanto_richiesto se_pidio_antes pedido_antes a_ete_demande`,
    ALL: WORLD_FUNCTION_WORDS.ALL,
    ORDERS: `wollte voulait queria queria_el volevo voleva desiderava quiso wilde gewunscht gewenst souhaitait хотел 希望 要望 원한 원하는 요청한 istedigini istedigi أراد طلبه chcial muon diinginkan reglas indicaciones consignes regles
      regeln befehle befehl instruktionen
      regole comandi regras comandos
      instrukcije instrukcija upute kurallari chi_thi quy_tac
      aturan regler ohjeet saannot
      utasitasokat prompt-text prompt-texte
      инструкц правил команд ルール プロンプト 규칙 프롬프트
      القواعد הוראות ההוראות नियम คำสั่ง กฎ οδηγίες নির্দেশ
      دستورات دستور_ вказівк maagizo maelekezo tagubilin instruksyon utos ہدایات வழிமுறை அறிவுறுத்தல் సూచన सूचना સૂચના ညွှန်ကြားချက် gosterisleri telimatlari instruccions instruksies udhezimet navodila instrukcijas nurodymus noradijumus juhised juhiseid utasitas utasitast instrukser instruksjoner arahan komut komutlari komutlarini systemanweisung systemanweisungen anordnungen ordre commandes mensaje_del_sistema istruzioni_di_sistema οδηγί restricciones einschrankungen restrizioni restricoes ограничени 制限 제한 قيود sinirlama kurala kural gioi_han batasan ograniczen beperkingen limites limiti grenzen filtros filtres фильтр कानून_`,
    AI: `modelli_linguistici assistenti_virtuali asistentes_virtuales assistants_virtuels مساعد يا_مساعد أيها_المساعد النماذج_اللغوية yapay_zekaya yapay_zekalar yapay_zekalara asistente asistentes assistente assistent ia ki ki-assistent asystent yapay_zeka tro_ly asisten
      على_المساعد agentes agenti ajan ajani ajanlar एजेंट assistant_ia modelo_de_lenguaje kunstliche_intelligenz modele_de_langage sprachmodell intelligenza_artificiale
      ассистент нейросет ии_ アシスタント 人工知能 エージェント 어시스턴트 인공지능 에이전트 비서
      المساعد الذكاء_الاصطناعي העוזר सहायक βοηθ
      ki-assistenten ki-modell ki-agent ki-agenten ki-system sprachmodelle assistente_virtual asistente_virtual assistant_virtuel agent_ia agente_ia agente_de_ia agente assistenti modelo_de_linguagem modello_linguistico modello_di_linguaggio modele_linguistique ии-ассистент ии-агент языковая_модел языковой_модел чат-бот ші_ ші-асистент asystenta model_jezykowy sztuczna_inteligencja ai-assistent ai-assistenten taalmodel sprakmodell asistan asistani asistanina tro_ly_ai asisten_ai 言語モデル 언어_모델 챗봇 نموذج_لغوي دستیار هوش_مصنوعی एआई भाषा_मॉडल ปัญญาประดิษฐ์ msaidizi бот_ бота_ боту_ ボット 봇 بوت l'assistant l'assistente l'ia`,
    YOU: WORLD_FUNCTION_WORDS.YOU,
    YOUR: WORLD_FUNCTION_WORDS.YOUR,
    MY: WORLD_FUNCTION_WORDS.MY,
    USER: `client clients cliente clientes kunde kunden klant musteri klient zleceniodawca клиент заказчик 顧客 お客様 고객 العميل khach_hang pelanggan auftraggeber mandant usuario usuarios utilisateur utilisateurs benutzer nutzer anwender utente utenti usuaria utilizador gebruiker
      uzytkownik kullanici nguoi_dung pengguna пользовател користувач ユーザー 利用者 사용자 המשתמש उपयोगकर्ता ผู้ใช้
      کاربر kullanicinin kullaniciya uzytkownika uzytkownikowi anvandarens gebruikers utilizatorului mtumiaji l'utilisateur l'utente titular lector titulaire proprietaire_du lecteur kontoinhaber inhaber lesers leser titolare lettore proprietario_del rekeninghouder lezer hesap_sahibi hesap_sahibine sahibine okuyucu okuyucunun wlasciciel wlascicielowi czytelnika
      chu_tai_khoan nguoi_doc pemilik pembaca владельц читател 名義人 読者 持ち主 주인 계정_주인 독자 صاحب_الحساب القارئ صاحب`,
    SEND: `نشر انشر حمّل_ رفع ارفع إحالة أحل تمرير مرّر 게시 기재 넘겨 보내주 보내_주 お送り 投稿し 渡して 渡す передать передай передайте переда_ сообщить_на направь направить опубликов размести скинь поделит выложи скопируй скопируйте пришли
      leite_weiter
      lade_hoch hochladen stuur
      verstuur posalji gui chuyen_tiep laheta
      отправ перешли пошли переслат вышли загруз надішли 送信 送って 送れ 共有 投稿 アップロード メールで
      보내 전송 공유 업로드 إرسال שלח העבר στείλε পাঠা
      ارسال tuma ipadala بھیج hantar надсил sende_sie envoyer_le comunica отправьте перешлите`,
    PAY: `حوّل حول_مبلغ تحويل سداد ادفع_ 결제해 이체하 pague zahle
      zahlen trasferisci koop plati kup odeme_yap
      transfer_et chuyen_khoan thanh_toan beli оплат переведи купи сплат 振り込 送金 支払 송금 이체 결제
      구매 שלם โอน ซื้อ จ่าย`,
    WIPE: `закрой закройте
      verwijder wis usun skasuj obrisi
      sil xoa poista slett
      удали сотри удалит видали 削除 消去 消して 지워 제거 امسح מחק διάγραψε মুছ
      حذف_کن hapuskan futa キャンセル`,
    GRANT: `permite
      ac_
      открой разреш 開けて פתח อนุญาต freigeben одобри 承認して 승인해`,
    RUN: `تنزيل تشغيل تثبيت زيارة افتح_الرابط تنفيذ 내려받 ダウンロードし загрузите откройте открой_ перейдите haz_clic
      fuhre_aus lade_herunter
      bezoek odwiedz pobierz
      ziyaret_et chay tai_xuong выполни запусти посети скача установи
      перейди 実行 アクセス ダウンロード インストール クリック 실행 방문 다운로드 설치 클릭 نفذ زر حمل قم_ב הפעל चला डाउनलोड เปิดเว็บ ดาวน์โหลด รัน`,
    FETCH: `such lies nimm prends lis procure pegue prendi
      leggi найди возьми прочитай 探し 選び 찾아 골라 ابحث خذ اقرأ`,
    SHAPE: `اذكر أضف إضافة أجب_ ذكر_أن قل_ 적어 덧붙 기재 付け加え 記し 触れて упомян упомяни укажи укажите указать напишите сообщите_что отвечай отвечайте повторите добав lass lasst dite gebt ecrirez repondrez direz
      inscris inscrivez anota coloque inserisci
      dodaj добавь впиши посоветуй поставь 説明して 付けて 記載 書き換え 써_주
      imprime dices decir ecris ecrivez dis
      sag gib_aus drucke drucken
      ausgeben beantworte verfasse formuliere stampa dimmi
      imprima schrijf zeg antwoord napisz powiedz odpowiedz reci napisi yaz viet noi tra_loi tulis
      jawab напиши скажи ответь выведи покажи напечата 書いて 答え 出力 言って 表示 返答 쓰 말해 답변 출력 대답 표시
      اكتب قل اطبع أجب כתוב אמור लिख เขียน พูด ตอบ แสดง γράψε
      repite repita repete repita_o empfiehl wiederhole gib_mir repetez ripeti traduis traduce traduci ubersetze повтори порекоменду переведи_ 繰り返し 勧めて 반복 كرر yazdir tekrarla lap_lai ulangi wypisz powtorz herhaal revele revela enthulle rivela раскрой`,
    CHANGE: `إعادة_تعيين إعادة_ضبط تغيير 재설정 초기화 リセット 再設定 сброс сбрось добавьте добавить поменяй установ создай создайте зарегистр reservez pagalo 비우 설정해 設定して 設定し leg lege legt trage tragt erstelle bestelle bestellt hange hangt stelle_um mets mettez
      commande_ ajoutes pon ponga anota sube subelo suba comprime registe marque mova ligue sposta ordina
      перемести закажи запиши 注文 閉じ 圧縮 追加し 담아 바꿔 바꾸 주문 추가해 انقل سجل cancelar_la andern
      atualize wijzig thay_doi измени обнови смени
      変更 予約 변경 수정 예약 غير عدل שנה बदल เปลี่ยน`,
    SECRET: `كلمة_مرور كلمات_مرور بيانات_الدخول رمز_الدخول contrasena contrasenas clave claves credenciales passwort passworter kennwort zugangsdaten mot_de_passe
      mots_de_passe identifiants parola_d'ordine credenziali senha senhas wachtwoord haslo lozinka sifre parola
      mat_khau kata_sandi salasana парол ключ учётн учетн токен パスワード 暗証番号 秘密 認証 비밀번호 암호 토큰 인증
      كلمة_المرور كلمة_السر סיסמה पासवर्ड รหัสผ่าน κωδικό
      گذرواژه رمز_عبور sifresini parolasini sifrelerini hasla wachtwoorden passworts lozinke credenciais cookie_de_sesion cookie_de_session cookie_di_sessione cookie_de_sessao sitzungs-cookie sitzungscookie sessiecookie session-cookie oturum_cerezi oturum_cerezini cerezini ciasteczko ciasteczka_sesji cookie_phien kuki_sesi сессионный_cookie сессионн セッションクッキー クッキー 세션_쿠키 쿠키 ملف_تعريف_ارتباط بيانات_الاعتماد كلمات_المرور geheimnis geheimnisse zugangstoken secreto secretos jeton jetons token_di segredo segredos geheim mot_de_passe_de codice_pin gehaltsliste code_de_verification codigo_de_verificacion codice_di_verifica codigo_de_verificacao bestatigungscode verificatiecode dogrulama_kodu kod_weryfikacyjny ma_xac_minh kode_verifikasi код_подтвержд 認証コード 인증번호 رمز_التحقق`,
    ASSET: `設定が 設定の 設定は 設定に e-mail archivo archivos correo correos cuenta cuentas contactos datos mensajes fichier fichiers courriel courriels
      compte comptes donnees datei dateien e-mails konten kontakte daten nachrichten file_di posta conto
      dati arquivo arquivos conta dados contatos bestand bestanden plik pliki dosya dosyalari tap_tin tai_khoan
      akun файл письм почт аккаунт счет контакт данн ファイル メール 口座 連絡先 データ 파일 이메일 계좌 연락처 데이터
      الملف الملفات البريد الحساب קובץ קבצים फ़ाइल ईमेल ไฟล์ อีเมล kontaktliste adressbuch rechnung rechnungen ordner posteingang postfach vertrag kalender bestellung verlauf chatverlauf liste_de_contacts carnet_d'adresses facture factures dossier dossiers boite_de_reception contrat
      calendrier commande_en historique lista_de_contactos libreta_de_direcciones factura facturas carpeta carpetas bandeja_de_entrada contrato calendario pedido historial rubrica fattura fatture cartella cartelle ordine contratto cronologia
      lista_de_contatos agenda faturas pasta pastas caixa_de_entrada historico contactlijst adresboek factuur facturen map_ contract bestelling geschiedenis
      kisi_listesi kisi_listesini rehber rehberi faturalar klasor klasoru gelen_kutusu takvim siparis liste_kontaktow lista_kontaktow skrzynke zamowienie
      danh_ba hop_thu lich don_hang daftar_kontak tagihan folder_ kotak_masuk pesanan
      адресн_книг список_контактов входящ заказ календар договор フォルダ 受信箱 連絡先一覧 注文 カレンダー 契約 받은편지함 연락처_목록 주문 캘린더 계약 صندوق_الوارد جهات_الاتصال جهات_اتصال طلب_الشراء العقد`,
    REPLY: `respuesta respuestas reponse reponses antwort antworten risposta resposta ответ 返信 応答
      답변 응답 الرد resumen resumenes resume resumes zusammenfassung zusammenfassungen riassunto riassunti sommario resumo resumos samenvatting samenvattingen ozet ozeti yanit yanitinin cevap cevabinin podsumowanie streszczenie ringkasan ban_tom_tat reponse_a пересказ резюме изложени 要約 返答 요약 ملخص تلخيص إجابت`,
    ADMIN:
      'administrador administrateur amministratore beheerder sistema systeme администратор система 管理者 システム 관리자 시스템 المسؤول النظام',
    MUST: WORLD_FUNCTION_WORDS.MUST,
    PLEASE: WORLD_FUNCTION_WORDS.PLEASE,
    NOT: WORLD_FUNCTION_WORDS.NOT,
    NEW: `nuevas nueva nuevo nouvelle nouvelles nouveau neue neuen neuer nuove nuova novas nova nieuwe stattdessen
      jetzt nun ahora maintenant adesso agora sino solo новые новая вместо теперь 新しい 代わりに 次の 今から 새로운 대신 지금 جديدة بدلا no_hace_falta no_es_necesario sans_en inutile_de nul_besoin senza_farne non_serve non_occorre sem_comentar nao_e_preciso nao_precisa braucht_nichts braucht_davon_nichts nichts_davon hoeft_niet hoeft_dit_niet gerek_yok nie_musi khong_can tidak_perlu не_обязательно не_нужно 必要はありません 必要はない 不要です 않으셔도 않아도 필요_없 دون ليس_من_الضروري`,
    URGENT:
      'urgente importante achtung dringend wichtig atencion attenzione atencao срочно внимание важно 긴급 중요 عاجل هام',
    TELL: `parler parlare hablar falar contar decir dicendo sagen_zu dire_nulla sprechen praten konusma говорить le_digas digas dis_pas sage verrate erwahne dire diga mencione говори сообща упомина рассказ 言わ 伝え 知らせ
      教え 말하 알리 언급 تخبر
      revele revela enthulle rivela раскрой soyleme le_menciones mencionar memberi_tahu noi_voi comentarselo comentar_con comentarlo decirselo enterarse saberlo saber_nada avisar_al avisar au_courant en_parler savoir prevenir informer wissen erfahren mitbekommen informieren farne_parola saperlo avvisare contar_ao avisar_o saber_disso
      weten vertellen informeren te_weten soylemenize soylemene soylemeye bilmesine haber_vermeye wiedziec mowic biet cho_biet bao_cho tahu diberi_tahu знать узна сообщать 伝える 知らせる 말씀 아실 إبلاغ إعلام إخبار علم`,
    TEXT: `texto contexto texte contexte kontext inhalt testo contesto gesprach текст контекст テキスト 文脈 내용 텍스트 النص solicitado pedido_antes demande_auparavant richiesto gevraagd istenen`,
    FILLER: WORLD_FUNCTION_WORDS.FILLER,
  },
  cues: {
    charter: `instrucciones instrucoes istruzioni anweisungen regeln reglas regole regras consignes инструкц правил 指示 프롬프트 지시 تعليمات talimatlar instruksi instrukcje instructies`,
    toward: `يا_مساعد أيها_المساعد para pour fur an al alla a au aux ao aos a_l' chere chers liebe liebes lieben hallo hola bonjour ola ciao querido querida queridos geachte beste drogi droga sevgili 親愛なる 宛 各 친애하는 дорог привет عزيز ayi an_den an_die для do_ voor till ke への へ 에게 लिए untuk cho إلى برای уважаем estimado cher lieber caro prezado`,
    notice: `hinweis nachricht mitteilung notiz mensaje nota aviso mensagem messaggio avviso сообщени примечани заметк повідомлен mesaj mesaji notu wiadomosc uwaga bericht meddelande catatan pesan luu_y پیام رسالة ملاحظة संदेश ถึง 메시지 안내 お知らせ notif thong_bao gui not_ ujumbe 指示 命令 nota_interna hinweise`,
    verbatim: `mot_pour_mot mot_a_mot textuellement textualmente palabra_por_palabra al_pie_de_la_letra palavra_por_palavra parola_per_parola testualmente wortlaut wort_fur_wort wortwortlich wortlich дословно слово_в_слово そのまま 一字一句 그대로 حرفيا كلمة_بكلمة kelimesi_kelimesine nguyen_van tung_chu kata_demi_kata slowo_w_slowo doslownie woord_voor_woord woordelijk शब्दशः کلمه_به_کلمه คำต่อคำ ord_for_ord`,
    unbound: `sin_restricciones sin_ninguna_restriccion sin_limites sin_filtros sin_censura sin_reglas sans_restriction sans_restrictions sans_aucune_restriction sans_limite sans_limites sans_filtre sans_filtres sans_censure sans_regles ohne_einschrankungen ohne_beschrankungen ohne_jede_einschrankung ohne_moralische ohne_regeln ohne_filter ohne_zensur senza_restrizioni senza_alcuna_restrizione senza_limiti senza_filtri senza_regole senza_censura sem_restricoes sem_limites sem_filtros sem_filtro sem_nenhum_filtro sem_regras sem_censura без_ограничений без_каких-либо_ограничений без_всяких_ограничений без_фильтров без_цензуры без_правил 制限のない 制限なし 検閲なし 규칙이_없는 제한_없는 제한_없이 제한이_없는 بدون_قيود دون_قيود بلا_قيود sinirsiz_bir kisitlama_olmadan hicbir_kisitlama kuralsiz khong_gioi_han khong_co_gioi_han tanpa_batasan tanpa_filter bez_ograniczen zonder_beperkingen modo_desarrollador mode_developpeur entwicklermodus modalita_sviluppatore modo_desenvolvedor режим_разработчика 開発者モード 개발자_모드 وضع_المطور gelistirici_modu बिना_किसी_प्रतिबंध بدون_محدودیت`,
    precondition: `bevor_du_weitermachst bevor_du_fortfahrst bevor_sie_fortfahren avant_de_poursuivre antes_de_seguir antes_de_proseguir antes_de_continuar prima_di_proseguire prima_di_andare_avanti voordat_je_verdergaat voordat_u_verdergaat voor_je_verdergaat devam_etmeden_once قبل_أن_تتابع قبل_المتابعة قبل_أن_تجيب 続ける前に 계속하기_전에 zanim_bedziesz truoc_khi_lam sebelum_melanjutkan antes_de_responder antes_de_terminar antes_de_completar antes_de_prosseguir antes_de_concluir avant_de_repondre avant_de_continuer avant_de_terminer avant_d'accomplir bevor_du voordat_je innan_du prima_di_rispondere prima_di_continuare prima_di_completare prima_di_procedere прежде_чем_ответ прежде_чем_выполн прежде_чем_продолж перш_ніж タスクを続ける前に 回答する前に 答える前に 続行する前に 作業を続ける前に タスクを完了する前に 완료하기_전에 답변하기_전에 진행하기_전에 قبل_الرد قبل_الإجابة قبل_إكمال yanitlamadan_once cevaplamadan_once tamamlamadan_once zanim_odpowiesz zanim_wykonasz truoc_khi_tra_loi truoc_khi_tiep_tuc sebelum_menjawab उत्तर_देने_से_पहले قبل_از_پاسخ`,
    late: `vergessen streichen verwerfen lassen_sie
      してください ください お願い 주세요 해줘 십시오 하세요 お送りください てください 頂けますか いただけますか 願います 바랍니다 주시기 부탁 주십시오
      なければならない なければなりません べきである ものとする 送信すること 転送すること 実行すること 削除すること 共有すること 追加すること 記載すること てよい_ してよい して構わない してもよい 해야_한다 해야_합니다 하여야 해야만 할_것 해도_된다 해야 바람 것을_요청`,
    condition: `si_eres si_vous_etes si_tu_es wenn_du wenn_sie se_sei se_voce если_ты もしあなたが 만약_당신이
      als_je jesli_jestes eger_sen neu_ban jika_anda jika_kamu om_du اگر_تو إذا_كنت यदि_आप falls_du si_tu_eres あなたがai se_fores если_вы`,
    model: `modelli_linguistici assistenti_virtuali asistentes_virtuales assistants_virtuels النماذج_اللغوية يا_مساعد أيها_المساعد ki ia sprachmodell modelo_de_lenguaje modele_de_langage нейросет 人工知能 인공지능 الذكاء_الاصطناعي
      ki-assistenten ki-assistent ki-modell ki-agent ki-agenten ki-system modelo_de_linguagem modello_linguistico modello_di_linguaggio modele_linguistique agente_ia agente_de_ia agent_ia assistant_ia assistente_virtual asistente_virtual assistant_virtuel ии_ ии-ассистент ии-агент языковая_модел языковой_модел чат-бот ші_ ші-асистент model_jezykowy sztuczna_inteligencja ai-assistent ai-assistenten taalmodel sprakmodell yapay_zeka tro_ly_ai asisten_ai 言語モデル 언어_모델 챗봇 نموذج_لغوي هوش_مصنوعی एआई भाषा_मॉडल ปัญญาประดิษฐ์ intelligenza_artificiale kunstliche_intelligenz`,
    persona: `du_bist_jetzt jetzt_bist_du nun_bist_du eres_ahora ahora_eres actua_como finge tu_es_maintenant agis_comme
      fais_semblant fungieren_sie als_linux ora_sei fingi agora_voce_e aja_como finja sei_ora wcielasz ты_теперь
      теперь_ты притворись представь,_что_ты 今からあなたは あなたは今 ふりをして 演じて 지금부터_당신은 이제_너는 인_척 역할을_
      تظاهر أنت_الآن stell_dir_vor im_stil_eines im_stile antworte_im_stil agieren fungieren spiele_die_rolle du_bist_ab_jetzt jestes_ai ban_la_ai bir_yapay_zekasin ты_больше_не`,
    standing: `a_partir_de_ahora de_ahora_en_adelante desormais a_partir_de_maintenant dorenavant ab_jetzt von_nun_an ab_sofort
      d'ora_in_poi a_partir_de_agora vanaf_nu od_teraz с_этого_момента отныне これから 今後は 앞으로 지금부터 من_الآن_فصاعدا da_questo_momento da_adesso bundan_sonra mulai_sekarang tu_bay_gio od_tej_chwili с_сегодняшнего_дня от_сега fra_nu_av`,
    completion: `siguiente_tarea prochaine_tache nachste_aufgabe nachster_auftrag prossimo_compito proxima_tarefa следующее_задание следующая_задача задание_закрыто 次の仕事 次のタスク 다음_작업 المهمة_التالية المهمة_السابقة nouvelle_tache neue_aufgabe neuen_aufgabe nuovo_compito nova_tarefa neue_aufgaben neue_anweisungen
      gut_gemacht super_gemacht sehr_gut ausgezeichnete_leistung das_ist_erledigt weitere_aufgaben das_genugt
      bien_hecho bien_joue bravo tarea_completada tache_terminee aufgabe_erledigt folgender_aufgabe folgenden_aufgabe
      ersten_test hervorragenden_leistung weiteren_aufgabe neue_herausforderung новая_задача новое_задание задача_выполнена
      新しいタスク 新しい指示 タスク完了 새로운_작업 새로운_지시 작업_완료 مهمة_جديدة`,
    'new-orders': `neue_instruktionen
      siguientes_instrucciones instructions_suivantes folgenden_anweisungen folgende_anweisung
      новые_инструкции следующие_инструкции 次の指示 다음_지시 التعليمات_التالية التعليمات_الجديدة
      mensaje_del_sistema message_systeme systemnachricht систем_сообщ システムメッセージ 시스템_메시지 رسالة_النظام новое_указание nuevas_reglas nouvelles_regles नए_निर्देश 管理者の指示 관리자_지시`,
    'own-prompt': `tus_instrucciones tes_instructions vos_instructions deine_anweisungen ihre_anweisungen tuo_prompt
      prompt_del_sistema prompt_systeme systemprompt system-prompt prompt-texte prompt-text suas_instrucoes
      le_tue_istruzioni prompt_de_sistema eingabeaufforderung ursprunglichen_anweisungen системный_промпт твои_инструкции
      системн_промпт システムプロンプト 初期プロンプト 시스템_프롬프트 تعليماتك موجه_النظام dein_prompt deinen_prompt
      deiner_systemanweisung deine_systemanweisung systemanweisung systemanweisungen deiner_anweisungen deinen_anweisungen deines_systemprompts systemprompts instructions_systeme prompt_initial instructions_initiales consignes_initiales tes_consignes vos_consignes instructions_que_tu instructions_que_vous instrucciones_iniciales mensaje_del_sistema instrucciones_del_sistema tu_prompt instrucoes_do_sistema prompt_do_sistema instrucoes_iniciais seu_prompt mensagem_do_sistema prompt_di_sistema istruzioni_di_sistema istruzioni_iniziali messaggio_di_sistema системные_инструкц системное_сообщение системную_инструкцию системный_промт системного_промпта начальные_инструкции システム指示 初期指示 最初の指示 あなたの指示 시스템_지시 초기_지시 초기_프롬프트 تعليمات_النظام التعليمات_الأولية sistem_komutunu sistem_komutu sistem_istemini sistem_istemi sistem_talimatini sistem_talimatlarini sistem_promptunu loi_nhac_he_thong cau_lenh_he_thong prompt_sistem instruksi_sistem systeemprompt prompt_systemowy instrukcje_systemowe सिस्टम_प्रॉम्प्ट सिस्टम_निर्देश دستورات_سیستم systemprompten`,
    secrecy: `n'en_dis_rien n'en_dites_rien n'en_dis_mot ne_le_mentionne ne_le_mentionnez no_lo_menciones no_lo_mencione no_digas_nada non_dirlo non_menzionarlo non_parlarne nao_comente_nada nao_diga_nada nao_mencione zeg_er_niets vermeld_dit_niet bundan_soz_etme bahsetme soz_etme ولا_تذكر لا_تذكر دون_ذكر 触れないでください 触れず 말하지_마 erwahne_das_nicht erwahnen_sie_das_nicht sag_nichts не_упоминай не_упоминайте об_этом_не nie_wspominaj dung_nhac jangan_sebut guarde_segredo guarda_segredo guarda_silencio no_comentes no_comente nichts_erfahren kein_wort verschweig verschweige verschweigt stillschweigen vous_tairez taisez gardez_le_silence n'en_parle n'en_parlez garde_le_secret non_dire_nulla никому_не не_узна молчи 黙って 言わない 知らせない 말하지 알리지 비밀 دون_علم دون_انتظار sin_decirle kimseye_soyleme nikomu_nie jangan_bilang dung_cho zwijg sin_decirselo sem_dizer sem_contar sin_que_lo_sepa a_l'insu a_sua_insaputa sin_informar no_se_lo_digas no_informes no_menciones sans_le_dire sans_informer ne_mentionne ne_mentionnez
      ne_dites_pas erwahne_nicht sage_dem_nutzer_nicht heimlich en_secreto en_secret di_nascosto
      senza_informare nao_informe em_segredo не_говори не_сообщай тайно незаметно
      ユーザーに知らせ 内緒 秘密裏 사용자에게_알리지 몰래 비밀로 دون_إخبار لا_تخبر
      nao_conte no_se_lo_menciones no_me_lo_menciones sans_prevenir dem_nutzer_nicht dem_benutzer_nicht ohne_den_nutzer ohne_den_benutzer ユーザーには知らせ ユーザーには言わ ユーザーに言わ ユーザーには伝え ユーザーに伝えな не_сообщайте kullaniciya_soyleme jangan_beri_tahu dung_noi_voi nie_mow_uzytkownikowi nu_spune ne_le_dis_pas senza_dirlo sem_avisar sin_avisar न_बताएं อย่าบอก 触れないで без_ведома`,
    unchecked: `sin_confirmacion sans_confirmation ohne_bestatigung ohne_ruckfrage senza_conferma sem_confirmacao без_подтверждения
      不加确认 確認なし 確認不要 확인_없이 دون_تأكيد sin_preguntar sans_demander ohne_nachzufragen
      onay_almadan tanpa_konfirmasi khong_can_xac_nhan bez_potwierdzenia zonder_bevestiging बिना_पुष्टि
      ohne_zu_fragen sin_revision_humana sans_validation без_уведомления 確認せずに`,
    machine: `si_eres_una_ia si_vous_etes_une_ia wenn_du_eine_ki atencion_ia attention_ia achtung_ki если_ты_ии aiアシスタントは
      aiアシスタントへ ai_어시스턴트는 hallo_gpt hola_gpt`,
    spokesman: `el_usuario_quiere el_usuario_tambien_quiere l'utilisateur_veut l'utilisateur_souhaite der_nutzer_mochte
      der_benutzer_mochte l'utente_vuole o_usuario_quer пользователь_хочет 사용자가_원
      ユーザーが望`,
    device: `sistemas sistemi sistemas_automaticos automatici automatiche automatizados automatisierten automatischen systemen geautomatiseerde automatische otomatik sistemler sistemlere automatycznych systemow roboty robo robos bots أنظمة الأنظمة روبوت автоматическ системам 自動システム 자동_시스템 he_thong programm programme roboter modell modelle systeme werkzeug automat automatik
      automatisch automatischer automatisierte automatisierter digitaler digitale kunstliche
      logiciel logiciels programmes ordinateur modele modeles outil outils
      automatique automatiques automatise automatises numerique intelligence artificielle virtuel virtuelle
      programa programas ordenador modelo modelos herramienta automatico automatica automaticos
      automatizado inteligencia ferramenta computador
      programmi modello modelli strumento traduttore intelligenza artificiale
      traducteur ubersetzer ubersetzungsprogramm traductor tradutor zusammenfasser
      programma modellen robotten maszyna modelu programie robocie bilgisayar yazilim
      makine may_tinh phan_mem mo_hinh mesin perangkat_lunak
      программ компьютер робот машин модел систем нейросет агент автомат
      プログラム ソフト ロボット モデル システム 機械 ツール 担当ai 프로그램 소프트웨어 로봇 모델 기계 시스템 도구
      النموذج للنماذج النماذج البرنامج للبرنامج الروبوت الآلي الآلية الوكيل للوكيل البرامج للمساعد المساعدين للمساعدين
      תוכנה מודל प्रोग्राम मॉडल โปรแกรม โมเดล`,
    reads: `das_diese das_diesen der_diese die_diese die_diesen das_hier auf_dieser_seite auf_diese_seite vorliest vorlesen die_ihr der_du
      zusammenfasst zusammenfassen auswertet
      sortiert mitliest mitlesen mithort durchsucht
      qui_lit qui_lis qui_lisez qui_lisent qui_resume qui_resumes qui_resument qui_traite qui_traitent qui_trie
      qui_parcourt lisant_ceci lisant_cette lisant_ce de_synthese qui_consulte qui_analyse qui_traduit
      que_lee que_lees que_lean que_leas que_resume que_resumen que_procesa que_gestiona que_procese que_revise
      gestiona_este gestione_este lea_este lea_esta procese_este resuma_este que_traduce que_ordena que_analiza
      que_le que_les que_leia que_esta_a_ler que_esta_a_resumir que_esta_lendo que_processa que_gere que_organiza
      che_legge che_leggi che_leggono che_riassume che_elabora che_gestisce che_traduce che_smista
      die_dit dat_dit die_deze dat_deze ktory_czyta ktora_czyta czytajacy okuyan isleyen ozetleyen dang_doc yang_membaca
      который_читает которая_читает который_разбирает который_обрабатывает обрабатыва разбира которая_разбирает
      кто_читает которые_читают который_сортирует который_переводит
      読んでいる 読む 要約している 要約する 処理している 処理する 比較中の 閲覧中 担当の 見ている 翻訳している 代わりに読 読み込んだ 読み取
      읽고_있는 요약하는 처리하는 돕는 번역하는 정리하는 보고_있는
      يقرأ تقرأ يلخص تلخص يعالج تعالج قراءة التي_تقرأ`,
    human: `unterlagen fragen bewerbung curriculum candidature contacto consultas bewerbungen formulaire お問い合わせ ご質問
      お申し込み 문의 신청 заявк вопрос обращени`,
    topic: `angreifer angriff angriffe injektion injektionen attaque attaques attaquant attaquants hameconnage ataque ataques
      atacante atacantes inyeccion injecao iniezione attacco attacchi attaccante aanval aanvallen atak ataki saldiri serangan
      phishing-mails estafa golpe arnaque truffa betrug betruger атак инъекц уязвимост злоумышленник мошенник обманыва 攻撃 インジェクション 脆弱性 詐欺
      공격 인젝션 취약점 사기 هجوم الهجمات حقن احتيال`,
    threat: 'oder_du_stirbst o_mueres ou_tu_meurs tu_muertes solo_sobrevives иначе_ты иначе_вы иначе_тебя иначе_вас',
  },
}

type Words = Readonly<Record<string, string>>

function joined(lists: readonly Words[]): Words {
  const all: Record<string, string> = {}
  for (const list of lists) for (const [name, words] of Object.entries(list)) all[name] = `${all[name] ?? ''} ${words}`
  return all
}

const PARTS = [LISTS, VERB_FORMS, READING, LANGUAGE_WORDS]

export const WORLD: Lexicon = {
  concepts: joined(PARTS.map(({ concepts }) => concepts)),
  cues: joined(PARTS.map(({ cues }) => cues)),
}
