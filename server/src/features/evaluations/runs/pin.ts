import type { Caller } from '../../../kernel/context.ts'
import { invalid, unknownReference } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { type AgentRow, agents } from '../../agents/service.ts'
import { defaultModel, models } from '../../models/service.ts'
import { promptFrom } from '../../prompt-templates/service.ts'
import { ragTools } from '../../rag-tools/service.ts'
import { retrievalTools } from '../../retrieval-tools/service.ts'
import { judgeOf } from '../scorers/judge.ts'
import type { SettledScorer } from '../scorers/scorers.ts'
import type { EvaluationRow } from '../service.ts'

interface Pinned {
  scorers: SettledScorer[]
  /** A copy of the target, if it has versions. */
  target: unknown
  version: number | null
}

const finders = { model: models.find, rag_tool: ragTools.find, retrieval_tool: retrievalTools.find }

/** Fixes target and judges for a run, so that all cases meet the same ones. */
export async function pin(tx: Db, who: Caller, evaluation: EvaluationRow): Promise<Pinned> {
  const scorers: SettledScorer[] = []
  for (const scorer of evaluation.scorers as SettledScorer[]) scorers.push(await pinJudge(tx, who, scorer))
  if (evaluation.type === 'agent') {
    const agent = await pinAgent(tx, who, evaluation.target_id)
    return { scorers, target: agent, version: agent.version }
  }
  // Models and knowledge tools have no versions: only the revision is recorded, and changes affect later cases.
  const target = await finders[evaluation.type](tx, who, evaluation.target_id)
  return { scorers, target: null, version: target?.revision ?? null }
}

async function pinJudge(tx: Db, who: Caller, scorer: SettledScorer): Promise<SettledScorer> {
  if (scorer.type !== 'llm_judge') return scorer
  const named = scorer.config.model_id
  const { id } = await judgeOf(tx, who, 'scorers.config.model_id', typeof named === 'string' ? named : undefined)
  return { ...scorer, config: { ...scorer.config, model_id: id } }
}

/** The agent with its prompt text and its model resolved. */
async function pinAgent(tx: Db, who: Caller, id: string): Promise<AgentRow> {
  const agent = (await agents.find(tx, who, id)) ?? unknownReference('target_id', 'agent', id)
  if (agent.status === 'archived') invalid('target_id', 'is an archived agent')
  const template = agent.prompt_template_id
  return {
    ...agent,
    system_prompt:
      template === null ? agent.system_prompt : await promptFrom(tx, who, template, agent.prompt_variables),
    prompt_template_id: null,
    resolved_model_id: agent.resolved_model_id ?? (await defaultModel(tx, who, 'chat')).id,
  }
}
