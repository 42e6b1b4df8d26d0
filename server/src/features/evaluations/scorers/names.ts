export const scorerNames = [
  'exact_match',
  'contains',
  'regex',
  'json_match',
  'similarity',
  'llm_judge',
  'tool_called',
  'retrieval_hit',
  'latency',
  'cost',
] as const
export type ScorerName = (typeof scorerNames)[number]
