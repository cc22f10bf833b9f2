/** Traditional characters and their simplified forms, as far as the word lists need them. */

const SHARED = [
  '覽開網頁檔資錄錯誤調試測複復刪記憶訪問擊連結鏈聯線請個這別無為說過單寫碼數類變實現構讀視統計對壓縮動後從給將關價時間應還標題圖導進輸區轉換優級當機執務聽買賣總發書電話語論業據員設',
  '览开网页档资录错误调试测复复删记忆访问击连结链联线请个这别无为说过单写码数类变实现构读视统计对压缩动后从给将关价时间应还标题图导进输区转换优级当机执务听买卖总发书电话语论业据员设',
] as const

/** For tasks. */
export const TASK_SIMPLIFIED = characterMap(SHARED, [
  '瀏夾製點尋詢載幫裡裏樣麼講訴編譯檢較備併並於氣聞匯嗎歡愛詩郵鈕簡釋義補異腳環張經長東顯見課學樓場裝項條',
  '浏夹制点寻询载帮里里样么讲诉编译检较备并并于气闻汇吗欢爱诗邮钮简释义补异脚环张经长东显见课学楼场装项条',
])

/** For texts that are inspected. Also 帐, a simplified character that is often written for 账. */
export const INSPECTED_SIMPLIFIED = characterMap(SHARED, [
  '規則與訊運帳帐賬號傳該讓們雜認識證護權許閉滅銷繳購訂戶絡庫隱瞞報違會議繼續態內驗錢萬億幣廣館須體際緊絕處選擇達腦軟協歷產階衛獲舊',
  '规则与讯运账账账号传该让们杂认识证护权许闭灭销缴购订户络库隐瞒报违会议继续态内验钱万亿币广馆须体际紧绝处选择达脑软协历产阶卫获旧',
])

/** Each pair of texts maps the characters of the first onto those of the second. */
export function characterMap(...pairs: readonly (readonly [from: string, to: string])[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.flatMap(([from, to]) => {
      const target = [...to]
      return [...from].map((character, i) => [character, target[i] ?? character] as const)
    }),
  )
}
