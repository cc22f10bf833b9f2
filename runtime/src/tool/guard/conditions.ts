/** Tests in double brackets, and the arithmetic of counting loops. */
import type { ArithmeticExpression, TestExpression } from 'unbash'
import { why } from '../../i18n/why.ts'
import { type Listener, walkArithmetic, walkWord } from './expansions.ts'

export function walkTest(node: TestExpression, to: Listener): void {
  switch (node.type) {
    case 'TestUnary':
      walkWord(node.operand, to)
      if (/^-[vR]$/.test(node.operator) && !/^[A-Za-z_]\w*$/.test(node.operand.text)) to.doubt(why('subscript'))
      return
    case 'TestBinary':
      for (const word of [node.left, node.right]) {
        walkWord(word, to)
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) walkArithmetic(word.text.replace(/^"(.*)"$/s, '$1'), to)
      }
      return
    case 'TestLogical':
      for (const operand of node.operands) walkTest(operand, to)
      return
    case 'TestNot':
      walkTest(node.operand, to)
      return
    case 'TestGroup':
      walkTest(node.expression, to)
      return
    default:
      node satisfies never
      to.doubt(why('testNotSupported'))
      return
  }
}

/** The expression as source text. */
export function sourceOf(node: ArithmeticExpression): string {
  switch (node.type) {
    case 'ArithmeticBinary':
      return `${sourceOf(node.left)} ${node.operator} ${sourceOf(node.right)}`
    case 'ArithmeticUnary':
      return node.prefix ? `${node.operator}${sourceOf(node.operand)}` : `${sourceOf(node.operand)}${node.operator}`
    case 'ArithmeticTernary':
      return `${sourceOf(node.test)} ? ${sourceOf(node.consequent)} : ${sourceOf(node.alternate)}`
    case 'ArithmeticGroup':
      return `(${sourceOf(node.expression)})`
    case 'ArithmeticWord':
      return node.value
    default:
      return node.text
  }
}
