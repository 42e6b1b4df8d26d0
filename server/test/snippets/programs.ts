import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Block, root } from './blocks.ts'

/** A stand-in for React's hook: sends one message over the transport and prints the reply. */
const useChat = `
const useChat = ({ transport }) => ({
  messages: [],
  sendMessage: async ({ text }) => {
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }]
    const request = { trigger: 'submit-message', chatId: 'c', messageId: undefined, messages, abortSignal: undefined }
    for await (const chunk of await transport.sendMessages(request))
      if (chunk.type === 'text-delta') process.stdout.write(chunk.delta)
  },
})`

/** LangChain uses the official client with its `configuration`: this sends the same request without its 30 packages. */
const langChain = `
import OpenAI from 'openai'
class ChatOpenAI {
  constructor(fields) { this.fields = fields }
  async invoke(content) {
    const { model, apiKey, configuration } = this.fields
    const openai = new OpenAI({ apiKey, ...configuration })
    const { choices } = await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    return choices[0].message
  }
}`

/** A model that scores every pair alike, instead of weights of 5 MB. */
const transformers = `
const env = {}
const AutoTokenizer = { from_pretrained: async () => (queries, { text_pair }) => ({ queries, text_pair }) }
const AutoModelForSequenceClassification = {
  from_pretrained: async () => async ({ text_pair }) => ({ logits: { data: new Float32Array(text_pair.length) } }),
}`

/** Code that a page takes for granted, such as the request that it handles. */
export interface Around {
  before?: string
  after?: string
}

/**
 * Runs the programs of a page and returns what each prints. A block that imports something starts a program; one that does
 * not goes on with the program above it.
 */
export async function runPrograms(
  blocks: Block[],
  environment: Record<string, string>,
  { before = '', after = '' }: Around = {},
): Promise<string[]> {
  const programs: string[] = []
  for (const { code, language, line } of blocks) {
    const known = code
      .replace(/^import .* from '@langchain\/openai'$/m, langChain)
      .replace(/^import .* from '@huggingface\/transformers'$/m, transformers)
    const text = `// line ${line}\n${language === 'tsx' ? asProgram(known) : known}`
    if (/^import /m.test(code) || programs.length === 0) programs.push(`${before}\n${text}`)
    else programs.push(`${programs.pop()}\n${text}`)
  }
  return runInOneProcess(
    programs.map((program) => `${program}\n${after}`),
    environment,
  )
}

const asProgram = (code: string): string =>
  `${code.replace(/^import .* from '@ai-sdk\/react'$/m, useChat)}\nawait sendMessage({ text: 'Hello' })`

const endOfProgram = '\n--- end of program ---\n'

/** One after another in one process, because loading the packages takes longer than anything else. */
async function runInOneProcess(programs: string[], environment: Record<string, string>): Promise<string[]> {
  // In the checkout, so that packages are found.
  const folder = mkdtempSync(join(root, 'server/test/.dist-snippet-'))
  try {
    const main = programs.map((program, at) => {
      const known = program.replaceAll("'@parley/client'", "'../../../client/src/index.ts'")
      writeFileSync(join(folder, `${at}.ts`), known)
      return `await import('./${at}.ts')\nprocess.stdout.write(${JSON.stringify(endOfProgram)})\n`
    })
    writeFileSync(join(folder, 'main.ts'), main.join(''))
    const env = { ...process.env, ...environment }
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.ts')], { env })
    return stdout.split(endOfProgram).slice(0, -1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
