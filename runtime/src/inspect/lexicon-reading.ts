import type { Lexicon } from './concept.ts'

/**
 * The reader's own work: a text that says what to do before its reader answers, once it has been read, or in the
 * summary of it, speaks to whoever processes it. In every language of the lexicon.
 */
const ENGLISH = `${products('when while before after upon', 'summarising summarizing translating answering replying responding describing paraphrasing')}
  ${products('when before after once', 'you', 'summarise summarize translate answer reply respond describe paraphrase')}
  ${products('in end_of to', 'your', 'summary summaries answer reply response translation report_to_the_user final_answer')}
  ${products('once after when upon', 'this', 'has_been_read is_read message_is_read page_has_been_read file_has_been_opened page_is_summarised page_is_summarized is_summarised is_summarized')}
  ${products('after upon when once', 'reading processing opening parsing', 'this')}
  ${products('soon_as once after', 'this_file this_page this_document this_message this_text', 'has is')}
  ${products('before', 'an_answer any_answer any_reply any_response a_summary any_summary')}
  ${products('ai automated automatic machine llm bot', 'summary summaries description descriptions translation translations answers replies overviews')}
  ${products('summary summaries translation translations review reviews', 'of', 'this')} ${products('person people human one', 'you', 'work_for act_for answer_to assist serve represent')}
  ${products('in into of to', 'your', 'review reviews report assessment evaluation feedback write-up findings verdict notes results')}
  ${products('before when once after', 'you', 'sum_this sum_these sum_it sum_up')}
  and_nothing_else nothing_more_than_the_word nichts_anderes rien_d'autre nada_mas nient'altro mais_nada niets_anders nic_wiecej ничего_больше ${products('in', 'every each any all', 'answer answers reply replies')} ${products("if_you_are if_you're", 'summarising summarizing translating reading processing answering describing reviewing')} ${products('each_time every_time whenever', 'you', 'read open process')} what_you_write reply_with_the_single reply_with_the_word answer_with_the_word respond_with_the_word reply_with_just with_the_single_word when_writing_up
  prior_to_replying prior_to_answering prior_to_responding prior_to_summarising prior_to_summarizing prior_to_any_reply
   every_summary any_summary translate_the_rest
  summarise_the_rest summarize_the_rest the_rest_as_usual all_answers every_answer respond_to_whoever whoever_asked
  person_who_asked whoever_is_handling whoever_handles_this whoever_processes whoever_reads_this anyone_processing
  those_operating operating_on_someone's answer_any_question answer_every_question ai-generated
  generated_summary automatic_summary automated_summary reply_only_with respond_only_with answer_only_with reply_with_only`

const CHINESE = `如果你正在总结 如果您正在总结 如果你在总结 如果你要总结 如果你正在翻译 如果你正在阅读 如果你正在处理 若你正在总结 若正在总结 别的都不要 不要写别的 不要说别的 其他都不要 总结时 总结本文 总结本页 总结这封 总结这篇 总结这份 总结这段 总结该 总结此 概括时 概括本文 概括本页 概括这封 概括这篇 概括这份 概括这段 摘要时 摘要里 摘要中 摘要内 你的摘要 总结里 总结中 翻译时 翻译完 完成翻译 其余照译 回答之前 回答前 答复前 答复之前
  回复前 回复之前 作答前 答复末尾 回答末尾 回复末尾 回答结尾 回复结尾 答复结尾 回答的最后 回复的最后 答复中 你的回答 你的回复 你的答复 您的回答 您的回复 在回答中 在回复中 在答复中 在摘要 在总结 在译文
  阅读后 阅读完 阅读本页 阅读本邮件 阅读此页 读完后 读完本文 读完本页 读完这封 读完这篇 读完这段 读取本页 读取本文 读取此 读取后 读到这 处理本文 处理本邮 处理本页 处理本工单 处理此邮 处理此文 处理此工单 处理该邮件 处理该文 处理这封 处理这份 处理这条 处理这篇 处理这段 解析本 看完后 看完这封 看完这篇 看完这段 负责处理此 负责处理本 管理这个收件箱 管理此邮箱 无论别人问 无论用户问 不管用户问 不管别人问
  不论用户 提问的人 问起本 推荐时 介绍时 生成摘要 生成总结 撰写摘要 向用户介绍 回答用户 答复用户 回复用户`

const CHINESE_OUTPUT =
  '你的摘要 摘要里 摘要中 摘要内 总结里 总结中 答复末尾 回答末尾 回复末尾 回答结尾 回复结尾 答复结尾 回答的最后 回复的最后 答复中 你的回答 你的回复 你的答复 您的回答 您的回复 在回答中 在回复中 在答复中 在摘要 在总结 在译文 只回答 只回复 只能回答'

const OTHERS = `falls_du_diesen wenn_du_diesen wenn_sie_diesen falls_sie_diesen falls_du_dies si_tu_resumes si_vous_resumez si_tu_lis si_vous_lisez si_estas_resumiendo si_esta_resumiendo si_estas_leyendo si_resumes se_stai_riassumendo se_stai_leggendo se_riassumi se_estiver_resumindo se_estiver_lendo se_resumir als_je_dit als_je_deze als_u_dit jesli_streszczasz jesli_czytasz если_ты_пересказ если_вы_пересказ если_ты_читаешь eger_ozetliyorsan bunu_ozetliyorsan 要約する場合 要約している場合 요약하는_경우 요약하고_있다면 إذا_كنت_تلخص إذا_كنت_تقرأ यदि_आप_सारांश neu_ban_dang_tom_tat neu_ban_tom_tat jika_anda_meringkas jika_anda_merangkum bei_der_zusammenfassung beim_zusammenfassen in_der_zusammenfassung in_deiner_zusammenfassung in_ihrer_zusammenfassung vor_der_antwort vor_dem_antworten
  vor_der_beantwortung vor_der_zusammenfassung nach_dem_lesen nach_der_lekture nach_dem_offnen beim_ubersetzen ende_ihrer_antwort ende_deiner_antwort
  in_ihrer_antwort in_deiner_antwort ihrer_antwort deiner_antwort deine_antwort ihre_antwort ubersetzen_sie_den_rest ubersetze_den_rest auf_jede_frage automatisiert_verarbeitet
  bevor_sie_antworten bevor_du_antwortest wenn_du_diese_seite wenn_sie_diese_seite dieses_dokument_verarbeitet diesen_text_verarbeitet dieses_ticket_bearbeitet dieses_postfach
  dans_votre_resume dans_ton_resume dans_le_resume en_resumant lors_du_resume avant_de_repondre avant_toute_reponse apres_lecture apres_la_lecture apres_avoir_lu
  une_fois_la_lecture une_fois_lu une_fois_ce_document dans_votre_reponse dans_ta_reponse fin_de_votre_reponse fin_de_ta_reponse votre_reponse ta_reponse
  a_toute_question traduisez_le_reste traduis_le_reste traite_ce_document lit_ce_document qui_traite_ce charge_de_ce_ticket cette_boite
  al_resumir en_el_resumen en_tu_resumen en_su_resumen antes_de_contestar antes_de_responder tras_la_lectura tras_leer despues_de_leer una_vez_leido
  final_de_su_respuesta final_de_tu_respuesta en_su_respuesta en_tu_respuesta su_respuesta tu_respuesta a_cualquier_pregunta a_toda_pregunta traduce_el_resto traduzca_el_resto
  procese_este_documento lea_este_documento procesa_este_documento atiende_este
  nel_riassunto nel_tuo_riassunto nel_suo_riassunto riassumendo prima_di_rispondere dopo_la_lettura dopo_aver_letto una_volta_letto nella_tua_risposta nella_sua_risposta
  fine_della_tua_risposta fine_della_risposta tua_risposta sua_risposta a_qualsiasi_domanda a_ogni_domanda traduci_il_resto elabora_questo_documento legge_questo_documento segue_questo_ticket
  ao_resumir no_resumo no_seu_resumo em_seu_resumo antes_de_responder depois_de_ler apos_a_leitura apos_ler uma_vez_lido na_sua_resposta em_sua_resposta final_da_sua_resposta
  sua_resposta tua_resposta a_qualquer_pergunta traduza_o_resto processe_este_documento leia_este_documento por_este_chamado
  in_je_samenvatting in_uw_samenvatting in_de_samenvatting bij_het_samenvatten voor_het_antwoorden na_het_lezen na_lezing zodra_dit_is in_je_antwoord in_uw_antwoord einde_van_je_antwoord
  einde_van_uw_antwoord je_antwoord uw_antwoord op_elke_vraag vertaal_de_rest dit_document_verwerkt dit_ticket_behandelt deze_inbox
  в_кратком_изложени при_пересказ в_пересказ в_резюме при_обобщени перед_ответ прежде_чем_ответ прежде_чем_отвеч после_прочтени после_чтени в_вашем_ответ в_своем_ответ в_своём_ответ
  в_твоем_ответ в_твоём_ответ конец_вашего_ответ конце_ответ конец_ответ вашего_ответ твоего_ответ на_любой_вопрос на_все_вопрос переведите_остальн обрабатывающ читающ занимается_этой_заявк
  要約する際 要約時 要約には 要約の際 要約では 翻訳する際 回答の最後 回答の末尾 回答には 返答の最後 返信の最後 回答する前 回答前 返信する前 読み終え 読んだ後 読了後 この文書を処理 本文書を処理 このページを要約 残りを翻訳
  どんな質問 あらゆる質問 すべての質問 担当するアシスタント 本チケットを担当 処理するシステム
  요약할_때 요약_시 요약에는 요약에_ 답변_끝 답변의_끝 답변_마지막 답변에_ 답변에는 답하기_전 답변하기_전 회신하기_전 읽은_뒤 읽은_후 읽고_나서 읽으신 이_문서를_처리 이_페이지를_요약 어떤_질문 모든_질문 나머지를_번역 티켓을_맡은
  ozetlerken ozetinde ozete yanitinin_sonuna cevabinin_sonuna yanitinizin_sonuna cevabinizin_sonuna yanitinda cevabinda yanitlamadan_once cevaplamadan_once okuduktan_sonra
  bu_belgeyi_isleyen bu_sayfayi_ozetle her_soruya hangi_soru bu_metni_okuyan bu_talebe_bakan geri_kalanini_cevir
  عند_تلخيص في_تلخيص في_ملخص في_الملخص قبل_الرد قبل_الإجابة بعد_القراءة بعد_قراءة في_إجابت في_ردك نهاية_إجابت نهاية_ردك نهاية_الإجابة أي_سؤال كل_سؤال يعالج_هذا يقرأ_هذا يتولى_هذه ترجم_الباقي
  w_podsumowaniu w_streszczeniu streszczajac przed_odpowiedzia zanim_odpowiesz po_przeczytaniu w_swojej_odpowiedzi swojej_odpowiedzi koncu_odpowiedzi na_kazde_pytanie przetwarzajacy_ten
  khi_tom_tat truoc_khi_tra_loi sau_khi_doc trong_cau_tra_loi cuoi_cau_tra_loi xu_ly_tai_lieu_nay doc_tai_lieu_nay moi_cau_hoi
  saat_meringkas dalam_ringkasan sebelum_menjawab setelah_membaca dalam_jawaban akhir_jawaban memproses_dokumen_ini membaca_dokumen_ini setiap_pertanyaan`

/** "Who reads this page": said of the machine that is meant. */
const WHO_READS = [
  products(
    'process read reads summarise summarize handle parse translate crawl',
    'this',
    'text page document message file mail email entry note ticket',
  ),
  products(
    'diesen_text dieses_dokument diese_seite diese_nachricht diese_datei diese_e-mail',
    'liest lesen lest verarbeitet verarbeiten zusammenfasst zusammenfassen auswertet ubersetzt bearbeitet',
  ),
  products(
    'lit lisent traite traitent resume resument analyse analysent parcourt lire traiter',
    'cette ce',
    'page texte document message fichier courriel',
  ),
  products(
    'lee lea leen lean procesa procese procesan procesen resume resuma resuman',
    'este esta',
    'texto pagina documento mensaje archivo correo',
  ),
  products(
    'legge leggono legga elabora elaborano elabori riassume riassumono',
    'questa questo',
    'pagina testo documento messaggio file',
  ),
  products(
    'le leem leia leiam ler processa processam processe processem resume resumem',
    'este esta',
    'texto pagina documento mensagem arquivo',
  ),
  products('deze_pagina dit_document deze_tekst dit_bericht', 'leest lezen verwerkt verwerken samenvat'),
  products('bu_sayfayi bu_metni bu_belgeyi bu_mesaji', 'okuyan isleyen ozetleyen okursa islerse'),
  products('czyta czytaja przetwarza czytajacy czytajace przetwarzajace', 'te_strone ten_tekst ten_dokument'),
  'читающ обрабатывающ この文章を読む このページを読む この文書を読む この文章を処理 이_글을_읽는 이_페이지를_읽는 이_문서를_처리하는 تقرأ_هذه يقرأ_هذا تعالج_هذا يعالج_هذا 读取本 读取此 读取这 处理这段 处理此段 阅读这段',
].join(' ')

/** "New instruction". */
const NEW_ORDERS = [
  products(
    'neue neuer neues geanderte aktualisierte',
    'anweisung anweisungen vorgabe vorgaben aufgabe aufgaben anordnung auftrag regel regeln instruktion',
  ),
  products('nouvelle nouvelles', 'consigne consignes instruction instructions directive directives regle tache'),
  products('nueva nuevas', 'instruccion instrucciones orden ordenes indicacion indicaciones directiva tarea regla'),
  products('nuova nuove', 'istruzione istruzioni indicazione indicazioni direttiva regola regole'),
  products('nova novas', 'instrucao instrucoes ordem ordens diretriz diretrizes tarefa regra regras'),
  products('nieuwe', 'instructie instructies opdracht opdrachten richtlijn richtlijnen taak regels'),
  products('yeni', 'talimat talimatlar gorev komut emir kural'),
  products('nowe nowa nowy', 'polecenie polecenia instrukcja instrukcje zadanie zasada'),
  'новая_инструкци новые_инструкци новое_указани новые_указани новый_приказ новое_поручени новая_команд 新しい指示 新しい命令 新たな指示 新たな命令 새로운_지시 새_지시 새로운_명령 تعليمات_جديدة توجيه_جديد أمر_جديد chi_thi_moi huong_dan_moi lenh_moi instruksi_baru perintah_baru',
].join(' ')

function products(...parts: string[]): string {
  return parts
    .map((part) => part.split(' '))
    .reduce((starts, ends) => starts.flatMap((start) => ends.map((end) => `${start}_${end}`)))
    .join(' ')
}

export const READING: Lexicon = {
  concepts: { REPLY: CHINESE_OUTPUT },
  cues: { reads: WHO_READS, 'new-orders': NEW_ORDERS, reading: `${ENGLISH} ${CHINESE} ${CHINESE_OUTPUT} ${OTHERS}` },
}
