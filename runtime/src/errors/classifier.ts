/** Errors of the classifier of `agent.security.injectionModel`, all at the start. */
import { entry } from './entry.ts'

const SETTING = 'agent.security.injectionModel'
const DOWNLOAD =
  'The folder needs config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. Download the model completely, or remove the setting.'
const DOWNLOAD_ZH =
  '文件夹中需要有 config.json、tokenizer.json、tokenizer_config.json 和 onnx/model.onnx。请完整下载模型，或删除该设置。'

export const CLASSIFIER_ERRORS = {
  'CLASSIFIER_MISSING.folder': entry<{ folder: string }>({
    en: ({ folder }) => [`${SETTING}: there is no folder ${folder}`, DOWNLOAD],
    zh: ({ folder }) => [`${SETTING}：没有文件夹 ${folder}`, DOWNLOAD_ZH],
  }),
  'CLASSIFIER_MISSING.file': entry<{ folder: string; file: string }>({
    en: ({ folder, file }) => [`${SETTING}: ${folder} has no ${file}`, DOWNLOAD],
    zh: ({ folder, file }) => [`${SETTING}：${folder} 中没有 ${file}`, DOWNLOAD_ZH],
  }),
  'CLASSIFIER_MISSING.package': entry<{ name: string; configHome: string }>({
    en: ({ name, configHome }) => [
      `${SETTING} needs the package ${name}, which is not installed`,
      `Run: npm install --prefix "${configHome}" ${name}`,
    ],
    zh: ({ name, configHome }) => [
      `${SETTING} 需要软件包 ${name}，但它没有安装`,
      `请运行：npm install --prefix "${configHome}" ${name}`,
    ],
  }),
  CLASSIFIER_BROKEN: entry<{ folder: string; why: string }>({
    en: ({ folder, why }) => [
      `${SETTING}: the model in ${folder} cannot be used: ${why}`,
      'It must be a text-classification model in ONNX form. Download it again, choose another, or remove the setting.',
    ],
    zh: ({ folder, why }) => [
      `${SETTING}：无法使用 ${folder} 中的模型：${why}`,
      '它必须是 ONNX 形式的文本分类模型。请重新下载，改用其他模型，或删除该设置。',
    ],
  }),
  CLASSIFIER_LABELS: entry<{ folder: string; labels: readonly string[] }>({
    en: ({ folder, labels }) => [
      `${SETTING}: it is unclear which label of the model in ${folder} means injection: ${labels.join(', ')}`,
      'Name them in agent.security.injectionLabels.',
    ],
    zh: ({ folder, labels }) => [
      `${SETTING}：无法确定 ${folder} 中模型的哪个标签表示注入：${labels.join('、')}`,
      '请在 agent.security.injectionLabels 中写明。',
    ],
  }),
  'CLASSIFIER_LABELS.chosen': entry<{ folder: string; chosen: readonly string[]; labels: readonly string[] }>({
    en: ({ folder, chosen, labels }) => [
      `agent.security.injectionLabels (${chosen.join(', ')}) does not fit the model in ${folder}, whose labels are ${labels.join(', ')}`,
      'Name some of these labels, not all.',
    ],
    zh: ({ folder, chosen, labels }) => [
      `agent.security.injectionLabels（${chosen.join('、')}）与 ${folder} 中的模型不符，其标签为 ${labels.join('、')}`,
      '请写出其中的一部分标签，不能是全部。',
    ],
  }),
}
