/**
 * Pronouns, obligation, politeness, negation and words that may open a sentence, by language. Words are separated by
 * spaces; `_` joins the words of a phrase. `WORLD` lists other languages: Latin words without accents, other scripts as
 * stems.
 */

interface FunctionWords {
  ALL: string
  YOU: string
  YOUR: string
  MY: string
  MUST: string
  PLEASE: string
  NOT: string
  /** May stand before an imperative. */
  FILLER: string
}

export const ENGLISH_FUNCTION_WORDS: FunctionWords = {
  ALL: 'all any every everything whatever each entire complete whole',
  YOU: `you yourself u ye you_are you_will
      need_you_to want_you_to would_like_you_to ask_you_to urge_you_to command_you_to i_need_you_to i_want_you_to i'd_like_you_to ensure_that_you make_sure_you requires_that_you requires_you_to require_you_to wants_you_to needs_you_to asks_you_to asked_you_to expects_you_to`,
  YOUR: "your yours you're",
  MY: 'my mine',
  MUST: `must should shall required need_to needs_to have_to has_to ought obliged mandatory supposed_to
      instructed_to ordered_to expected_to need_you_to want_you_to would_like_you_to ask_you_to urge_you_to
      command_you_to are_to is_to required_to make_sure make_sure_to make_sure_you be_sure_to ensure_that_you
      do_not_forget_to don't_forget_to remember_to feel_free_to i_need_you_to i_want_you_to i'd_like_you_to
      it_is_essential_to it_is_imperative keep_in_mind_to you_may_find consider it_is_crucial_to ensure_you
      is_told_to are_told_to is_hereby are_hereby is_bound are_bound undertakes_to undertake_to is_instructed are_instructed wants_you_to needs_you_to asks_you_to asked_you_to expects_you_to requires_that require_that calls_for_the policy_that policy_of_this_site_that policy_of_the_company_that rule_that expected_that
      asked_to is_asked_to are_asked_to is_requested_to are_requested_to may_go_ahead_and requires_that_you requires_you_to require_you_to authorised_to authorized_to cleared_to permitted_to allowed_to instructed_that`,
  PLEASE: 'please kindly pls plz could_you can_you would_you will_you could_you_please can_you_please',
  NOT: "nothing zero not don't dont never no without cannot can't avoid refrain stop do_not won't shouldn't doesn't isn't",
  FILLER: `now then also first second finally next and so just simply immediately quickly ok okay hey hi hello but
      instead lastly additionally furthermore moreover afterwards subsequently stop important urgent attention note
      reminder todo task ps p.s today once done btw action step hereby carefully strictly kindly only always`,
}

export const CHINESE_FUNCTION_WORDS: FunctionWords = {
  ALL: '所有 一切 全部 任何 全都 每个 每一 通通 统统 整个 各种 完整',
  YOU: '你 您 尔',
  YOUR: '你的 您的 你所 自己的 自身的 你们的',
  MY: '我的 本人的 我们的 我方 我方的 我账户',
  MUST: `必须 务必 应该 应当 需要 一定要 得先 须 要求你 要求您 命令你 切记 记得 强制 只能 不得不 请确保 有义务 理应 需在 需将 需把 需立即 须在 须将 须把 还需 仍需 均需 亦须 还应 还须 还要 均应 應先 应先 应将 应把 应立即 应首先 应在 须先 须立即 需先 需要先 要先 首先要 理当 得把 一律`,
  PLEASE: '请 请你 请您 麻烦 劳烦 烦请 恳请 拜托 帮忙 帮我 替我 给我 顺便 顺手 务必 敬请 有劳 请代为 快帮',
  NOT: '不要 别 勿 请勿 不得 禁止 切勿 不准 无需 不用 不必 无须 不可 不能 避免 不许 严禁 没有 未 不会 并非 不是',
  FILLER: `请问 现在 然后 接着 首先 另外 此外 并 并且 再 也 就 好 好的 那么 最后 同时 顺便 立即 马上 紧急 重要 注意 警告 备注 附 附注 提醒 待办
      请 你 您 而 先 都 只 只需 仅 直接 把 将 给 另 对了 以及 随后 立刻 赶紧 火速 改为 转而`,
}

export const WORLD_FUNCTION_WORDS: FunctionWords = {
  ALL: `todas todo todos toda tout toutes tous alle alles allen aller samtliche tutte tutti tutto alle wszystkie
      wszystko sve sva svi tum butun tat_ca semua alla kaikki kaikkea alle_de toate vsechny vse
      все всі всех всё любые すべて 全て 全ての 모든 모두 전부 جميع كل כל सभी सब ทั้งหมด όλες όλα সমস্ত
      بتمام تمام_ همه усі svih vsa yote lahat kila_ அனைத்து అన్ని सर्व બધી အားလုံး visas koik osszes kaikki_ tudo`,
  YOU: `tu usted vous du sie tienes debes dir ihnen voce lei ты вы 당신 너 あなた 君 أنت
      te tes_une ti tú_ sen ban kamu anda je jij ty تو`,
  YOUR: `tus su sus tes votre vos deine deinen deiner ihre ihren ihrer seu sua suas teu tua tuo tuoi suo twoje jouw
      твои ваши вашу твой ваш あなたの 너의 당신의
      deines deinem dein seus tue votre_ teu_ uw kendi cua_ban свой свои своих своей بك_ 自分の`,
  MY: 'mi mis mon ma mes mein meine meinen meu minha minhas meus mio mia miei mijn moje мой мои моя 私の 僕の 내 나의 제 حسابي',
  MUST: `debes debe deben tienes_que hay_que devez dois doit il_faut musst mussen muss sollst sollen devi deve dovete
      precisa moet musisz morate meli harus phai должен должны обязан нужно 必ず しなければ 해야 반드시 يجب חייב deberan debera deberia deberian ha_de han_de hay_que se_debe se_deben tiene_que tienen_que es_obligatorio es_necesario puede_restablecer
      doit_etre doivent devra devront devriez il_convient est_tenu sont_tenus est_tenue est_autorise sont_autorises faut est_prie sont_pries est_charge
      deve devono dovra dovranno bisogna occorre e_tenuto e_tenuta sono_tenuti e_autorizzato e_autorizzata va_inviato vanno_inviati
      devem devera deverao tem_de tem_que e_preciso e_necessario esta_autorizado esta_autorizada fica_autorizado
      muss mussen soll sollte sollten mussten ist_zu sind_zu hat_zu haben_zu moge mogen wird_gebeten werden_gebeten darf ist_verpflichtet sind_verpflichtet
      dient dienen moeten behoort mag wordt_verzocht worden_verzocht is_verplicht is_gemachtigd
      gerekir gerekiyor gerekmektedir lazim zorunludur zorunda
      nalezy powinien powinna powinny musi musza trzeba jest_zobowiazany
      phai_ can_phai bat_buoc duoc_phep wajib diwajibkan harus_ perlu seharusnya
      должна должно обязана обязано обязаны следует необходимо требуется надо вправе
      なければならない なければなりません べきである ものとする しなければならず 送信すること 転送すること 実行すること 削除すること 共有すること 追加すること 記載すること てよい_ してよい して構わない してもよい する必要がある
      해야_한다 해야_합니다 하여야 해야만 할_것 해도_된다 하도록 하십시오 바랍니다 바람 것을_요청
      على_كل على_أي يلزم ينبغي يتعين لا_بد يُسمح يسمح مطلوب_من`,
  PLEASE: `por_favor s'il_vous_plait s'il_te_plait bitte per_favore alsjeblieft prosze molim lutfen vui_long tolong
      mohon пожалуйста будь_ласка してください ください お願い 주세요 해줘 십시오 하세요 من_فضلك يرجى בבקשה कृपया กรุณา โปรด παρακαλώ haga_el_favor haz_el_favor le_ruego se_ruega rogamos tenga_a_bien veuillez merci_de priere_de priere_d' nous_vous_prions voudriez si_prega si_prega_di la_prego vi_preghiamo cortesemente gentilmente
      por_gentileza faca_o_favor favor_enviar solicita-se pede-se bitten_wir wir_bitten_sie graag gelieve verzoeke wilt_u rica_ederim lutfen_ uprzejmie prosimy vui_long_hay xin_hay mohon_ harap silakan
      будьте_добры будьте_любезны просим прошу お送りください てください 頂けますか いただけますか 願います 바랍니다 주시기 부탁 주십시오 الرجاء نرجو أرجو فضلا`,
  NOT: `nichts niets rien nada nulla niente inget nic nimic ничего no_le ne_dis_pas nicht kein keine non nao niet nie ne_ niemals не никогда ないで しないで 하지_마 لا sin sans ohne senza sem без bez zonder tanpa ない 없 بدون بلا khong jangan hicbir न_ อย่า`,
  FILLER: `ahora y luego entonces maintenant et puis jetzt nun und dann aber adesso e poi agora и теперь затем そして 今 그리고 이제
      d'abord zuerst zunachst primero primeiro innanzitutto сначала сперва まず 먼저 once_ oncelikle terlebih_dahulu`,
}
