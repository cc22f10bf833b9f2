/** Errors of pictures, PDFs and attachments. */
import type { MediaKind } from '../protocol/media.ts'
import { entry } from './entry.ts'

const WHAT = { image: 'pictures', pdf: 'PDF files' } as const
const WHAT_ZH = { image: '图片', pdf: 'PDF 文件' } as const

const OTHER_MODEL =
  'Use a model that can. If this one can and Writ does not know it, list what it reads in agent.modelInput.'
const OTHER_MODEL_ZH = '请换用支持的模型。如果此模型支持而 Writ 不知道，请在 agent.modelInput 中写明它能读取什么。'

export const MEDIA_ERRORS = {
  MEDIA_UNSUPPORTED: entry<{ name: string; model: string; kind: MediaKind }>({
    status: 422,
    en: ({ name, model, kind }) => [`${model} cannot read ${WHAT[kind]}: ${name}`, OTHER_MODEL],
    zh: ({ name, model, kind }) => [`${model} 不能读取${WHAT_ZH[kind]}：${name}`, OTHER_MODEL_ZH],
  }),
  'MEDIA_UNSUPPORTED.scan': entry<{ name: string; model: string }>({
    status: 422,
    en: ({ name, model }) => [
      `${name} has no text that can be extracted, probably a scan, and ${model} cannot read PDF files itself`,
      OTHER_MODEL,
    ],
    zh: ({ name, model }) => [
      `${name} 中没有可提取的文字（可能是扫描件），而 ${model} 不能直接读取 PDF 文件`,
      OTHER_MODEL_ZH,
    ],
  }),
  'MEDIA_UNSUPPORTED.noModel': entry<{ name: string }>({
    status: 422,
    en: ({ name }) => [
      `${name} is a picture or a scan, and no model reads this result`,
      'Read it with an agent whose model can read pictures.',
    ],
    zh: ({ name }) => [`${name} 是图片或扫描件，而此结果不会由模型读取`, '请由模型能读取图片的智能体来读取它。'],
  }),
  'MEDIA_TOO_LARGE.bytes': entry<{ name: string; bytes: number; max: number }>({
    status: 413,
    en: ({ name, bytes, max }) => [
      `${name} has ${bytes} bytes; at most ${max} can be read`,
      'Make it smaller, for example with a lower resolution or fewer pages.',
    ],
    zh: ({ name, bytes, max }) => [
      `${name} 有 ${bytes} 字节，最多可读取 ${max} 字节`,
      '请缩小文件，例如降低分辨率或减少页数。',
    ],
  }),
  'MEDIA_TOO_LARGE.pixels': entry<{ name: string; width: number; height: number; side: number; pixels: number }>({
    status: 413,
    en: ({ name, width, height, side, pixels }) => [
      `${name} has ${width} x ${height} pixels; at most ${side} per side and ${pixels} in all can be read`,
      'Scale the picture down.',
    ],
    zh: ({ name, width, height, side, pixels }) => [
      `${name} 为 ${width} x ${height} 像素；每边最多 ${side}，总数最多 ${pixels}`,
      '请缩小图片尺寸。',
    ],
  }),
  'MEDIA_TOO_LARGE.pages': entry<{ name: string; pages: number; max: number }>({
    status: 413,
    en: ({ name, pages, max }) => [
      `${name} has ${pages} pages without text; a model can be shown at most ${max}`,
      'Split the file.',
    ],
    zh: ({ name, pages, max }) => [`${name} 有 ${pages} 页且没有文字，最多可向模型展示 ${max} 页`, '请拆分文件。'],
  }),
  MEDIA_DAMAGED: entry<{ name: string; type: string }>({
    en: ({ name, type }) => [`${name} begins like ${type}, but is damaged or incomplete`, 'Check the file.'],
    zh: ({ name, type }) => [`${name} 开头像 ${type}，但已损坏或不完整`, '请检查该文件。'],
  }),
  'MEDIA_DAMAGED.costly': entry<{ name: string }>({
    en: ({ name }) => [
      `reading ${name} exceeded the limits on time or memory`,
      'Split it, or convert it to plain text, and read the result.',
    ],
    zh: ({ name }) => [`读取 ${name} 超出了时间或内存限制`, '请拆分它或转换为纯文本后再读取。'],
  }),
  PDF_END: entry<{ name: string; page: number; pages: number }>({
    en: ({ name, page, pages }) => [`${name} has no page ${page}; it has ${pages}`, 'Use a smaller offset.'],
    zh: ({ name, page, pages }) => [`${name} 没有第 ${page} 页，共 ${pages} 页`, '请使用更小的 offset。'],
  }),
  MEDIA_GONE: entry<{ name: string; sha256: string }>({
    exit: 1,
    status: 409,
    en: ({ name, sha256 }) => [
      `the stored file of "${name}" is missing or was changed (SHA-256 ${sha256})`,
      'Restore the folder "results" of the data folder, or start a new session.',
    ],
    zh: ({ name, sha256 }) => [
      `"${name}" 的已存文件缺失或被修改（SHA-256 ${sha256}）`,
      '请恢复数据文件夹中的 "results"，或开始新会话。',
    ],
  }),
  FILE_UNKNOWN: entry<{ run: string }>({
    status: 404,
    en: ({ run }) => [`the run ${run} has no such file`, 'Use a hash from its attachments or results.'],
    zh: ({ run }) => [`运行 ${run} 没有此文件`, '请使用其附件或结果中的哈希。'],
  }),
  'ATTACHMENT_INVALID.type': entry<{ name: string }>({
    status: 415,
    en: ({ name }) => [
      `${name} is neither a picture (PNG, JPEG, GIF, WebP) nor a PDF`,
      'The content decides, not the name. Paste a text into the message, or put the file into the workspace.',
    ],
    zh: ({ name }) => [
      `${name} 既不是图片（PNG、JPEG、GIF、WebP）也不是 PDF`,
      '以内容而不是文件名为准。文本请直接粘贴到消息中，或把文件放入工作区。',
    ],
  }),
  'ATTACHMENT_INVALID.many': entry<{ max: number }>({
    status: 413,
    en: ({ max }) => [`too many attachments; at most ${max} per message`, 'Send several messages.'],
    zh: ({ max }) => [`附件过多，每条消息最多 ${max} 个`, '请分多条消息发送。'],
  }),
  'ATTACHMENT_INVALID.large': entry<{ max: number }>({
    status: 413,
    en: ({ max }) => [`the attachments are larger than ${max} bytes together`, 'Send several messages.'],
    zh: ({ max }) => [`附件总大小超过 ${max} 字节`, '请分多条消息发送。'],
  }),
  'ATTACHMENT_INVALID.file': entry<{ file: string; why: string }>({
    en: ({ file, why }) => [`cannot attach ${file}: ${why}`, 'Check the path.'],
    zh: ({ file, why }) => [`无法添加附件 ${file}：${why}`, '请检查路径。'],
  }),
  'ATTACHMENT_INVALID.notAFile': entry<{ file: string }>({
    en: ({ file }) => [`cannot attach ${file}: it is not a regular file`, 'Name a file.'],
    zh: ({ file }) => [`无法添加附件 ${file}：它不是普通文件`, '请指定一个文件。'],
  }),
  'ATTACHMENT_INVALID.address': entry<{ where: string }>({
    en: ({ where }) => [
      `${where}: only data: addresses are accepted; the server fetches nothing for a caller`,
      'Send the file itself, as data:image/png;base64,…',
    ],
    zh: ({ where }) => [
      `${where}：只接受 data: 地址；服务器不会替调用方获取任何内容`,
      '请直接发送文件内容，例如 data:image/png;base64,…',
    ],
  }),
  'ATTACHMENT_INVALID.base64': entry<{ where: string }>({
    en: ({ where }) => [`${where} is not valid base64`, 'Encode the bytes of the file as base64.'],
    zh: ({ where }) => [`${where} 不是有效的 base64`, '请把文件内容编码为 base64。'],
  }),
}
