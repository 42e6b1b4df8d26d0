import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../', import.meta.url))

it('shows a hover text for every method and option', () => {
  const index = join(folder, 'src/index.ts')
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const program = ts.createProgram([index], options)
  const checker = program.getTypeChecker()
  const lacking: string[] = []
  const isOurs = (symbol: ts.Symbol) =>
    symbol.declarations?.some((each) => each.getSourceFile().fileName.startsWith(folder))
  const checkText = (symbol: ts.Symbol, name: string) => {
    if (symbol.getDocumentationComment(checker).length === 0) lacking.push(name)
  }
  const symbolType = (symbol: ts.Symbol) => checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
  /** The fields of what a method takes. */
  const checkFields = (type: ts.Type, name: string) => {
    if (type.isUnion() || checker.isArrayType(type)) return
    for (const field of type.getProperties())
      if (!field.name.startsWith('__@') && isOurs(field)) checkText(field, `${name}.${field.name}`)
  }
  const visit = (symbol: ts.Symbol, name: string) => {
    checkText(symbol, name)
    const type = symbolType(symbol)
    for (const signature of type.getCallSignatures())
      for (const parameter of signature.parameters) checkFields(symbolType(parameter), `${name}(${parameter.name})`)
    if (type.getCallSignatures().length > 0) return
    for (const member of type.getProperties()) visit(member, `${name}.${member.name}`)
  }
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(index) as ts.Node) as ts.Symbol,
  )
  const find = (name: string) => exported.find((symbol) => symbol.name === name) as ts.Symbol
  const parley = checker.getDeclaredTypeOfSymbol(find('Parley'))
  expect(parley.getProperties().length).toBeGreaterThan(20)
  for (const member of parley.getProperties()) visit(member, member.name)
  for (const name of [
    'ParleyOptions',
    'RequestOptions',
    'UploadOptions',
    'UploadProgress',
    'Followed',
    'VerifyOptions',
    'Person',
  ])
    checkFields(checker.getDeclaredTypeOfSymbol(find(name)), name)
  expect(lacking).toEqual([])
}, 120_000)
