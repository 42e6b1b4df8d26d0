import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import { applyRules, checkedRules } from './access/apply.ts'
import { checkConfiguration } from './configuration.ts'
import { removeSourceLater } from './files/deletion.ts'
import { KnowledgeSource } from './schema.ts'
import type { HiddenSource } from './store.ts'
import { hashTexts } from './texts.ts'

/** For fields that reference a source. */
export const sourceKind = { noun: 'knowledge source', prefixes: ['src'] }

export const sources = collection<typeof KnowledgeSource, HiddenSource>({
  name: 'knowledge_source',
  shape: KnowledgeSource,
  prefix: 'src',
  kind: 'knowledge source',
  guarded: true,
  async complete({ ctx, tx, who, next, input, previous }) {
    next.access_rules = checkedRules(next.access_rules ?? [])
    if (previous && previous.type !== next.type) invalid('type', 'cannot be changed; create another source')
    if (!previous || input.configuration !== undefined) {
      await checkConfiguration(ctx, next.type, next.configuration)
      const { documents, ...settings } = next.configuration
      next.configuration = documents ? { ...settings, documents_hash: hashTexts(documents) } : settings
    }
    if (previous && !isDeepStrictEqual(previous.access_rules, next.access_rules)) {
      await applyRules(tx, who.workspace, next.id, next.access_rules)
    }
    if (!previous) Object.assign(next, { status: 'pending', status_message: null, last_sync: null, sync_again: 0 })
  },
  removed: async ({ ctx, tx, who, row }) => void (await removeSourceLater(ctx, tx, who.workspace, row.id)),
})
