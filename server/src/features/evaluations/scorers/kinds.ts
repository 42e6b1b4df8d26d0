import { jsonMatch } from './json.ts'
import { llmJudge } from './judge.ts'
import { cost, latency } from './limits.ts'
import type { ScorerName } from './names.ts'
import { regex } from './regex.ts'
import type { ScorerKind } from './scorer.ts'
import { similarity } from './similarity.ts'
import { contains, exactMatch } from './text.ts'
import { retrievalHit, toolCalled } from './tools.ts'

export const kinds: Record<ScorerName, ScorerKind> = {
  exact_match: exactMatch,
  contains,
  regex,
  json_match: jsonMatch,
  similarity,
  llm_judge: llmJudge,
  tool_called: toolCalled,
  retrieval_hit: retrievalHit,
  latency,
  cost,
}
