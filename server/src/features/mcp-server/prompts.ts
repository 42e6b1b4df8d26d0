import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import { toToolName } from '../../kernel/agent/tool-names.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { allRows } from '../../kernel/store/list.ts'
import { promptTemplates, render } from '../prompt-templates/service.ts'
import { assignNames } from './names.ts'

/** Prompts have names of their own: a tool may have the same name, but no name of a tool has a slash. */
const prefix = 'prompts/'

export async function listPrompts(ctx: Context, who: Caller): Promise<Prompt[]> {
  const { templates, names } = await namedTemplates(ctx, who)
  return templates.map(({ name: title, description, variables }, at) => ({
    name: (names[at] as string).slice(prefix.length),
    title,
    ...(description !== null && { description }),
    ...(variables.length > 0 && { arguments: variables.map((name) => ({ name, required: true })) }),
  }))
}

/** Returns undefined if the caller sees no such prompt. Throws if a variable of the template has no value. */
export async function getPrompt(
  ctx: Context,
  who: Caller,
  name: string,
  values: Record<string, string>,
): Promise<GetPromptResult | undefined> {
  const { templates, all } = await namedTemplates(ctx, who)
  const template = templates.find(({ id }) => id === all.get(`${prefix}${name}`))
  if (!template) return undefined
  const { text } = await render(ctx, who, template.id, values)
  return {
    ...(template.description !== null && { description: template.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

/** The templates that the caller may read, with the names of their prompts. */
async function namedTemplates(ctx: Context, who: Caller) {
  const isVisible = allows('read-configuration', who.role)
  const templates = isVisible ? await promptTemplates.first(ctx, who, allRows({})) : []
  const wanted = templates.map(({ id, name }) => ({ target: id, preferred: `${prefix}${promptName(id, name)}` }))
  const [names, all] = await assignNames(ctx, who.workspace, wanted)
  return { templates, names, all }
}

/** Names without Latin letters and digits are replaced by the end of the id. */
const promptName = (id: string, name: string): string =>
  /[A-Za-z0-9]/.test(name) ? toToolName(name) : `prompt_${id.slice(-6)}`
