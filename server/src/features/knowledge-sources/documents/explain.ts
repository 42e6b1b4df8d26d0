import type { Viewer } from '../../../kernel/access.ts'
import { type Explanation, explain } from '../../../kernel/access-explanation.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { ruleFor } from '../access/rules.ts'
import { sources } from '../sources.ts'
import { type DocumentRow, documents, type SourceRow } from '../store.ts'
import { getDocument } from './service.ts'

export const explainSource = async (ctx: Context, who: Caller, id: string, person: Viewer): Promise<Explanation> =>
  explain(person, (await sources.get(ctx, who, id)).access, 'the source')

/** A person must be allowed to see both the document and its source. */
export async function explainDocument(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  person: Viewer,
): Promise<Explanation> {
  const document = await getDocument(ctx, who, sourceId, id)
  const source = await sources.get(ctx, who, sourceId)
  const sourceExplanation = explain(person, source.access, 'the source')
  const mail = document.parent_id === null ? undefined : await documents.find(ctx.db, who.workspace, document.parent_id)
  const origin = accessOrigin(source, mail ?? document)
  const documentExplanation = explain(
    person,
    document.access ?? null,
    'the document',
    mail ? `as of ${mail.name}: ${origin}` : origin,
  )
  if (!sourceExplanation.allowed) return sourceExplanation
  if (!documentExplanation.allowed || source.access === null) return documentExplanation
  return { allowed: true, because: `${sourceExplanation.because} ${documentExplanation.because}` }
}

function accessOrigin({ access_rules }: SourceRow, document: DocumentRow): string {
  if (document.given_access !== 'null') return 'set on the document'
  const rule = ruleFor(access_rules, document)
  if (!rule) return 'it is not read yet, and a rule of the source may match'
  const conditions = [
    ...(rule.path === undefined ? [] : [`path "${rule.path}"`]),
    ...Object.entries(rule.metadata ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ]
  return `rule ${access_rules.indexOf(rule) + 1} of the source: ${conditions.join(', ')}`
}
