import type { Caller } from '../../../kernel/context.ts'
import { invalid, unknownReference } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { type AgentRow, agents } from '../../agents/service.ts'
import { agentVersion } from '../../agents/versions.ts'
import { pinTool, ragTools, retrievalTools } from '../../knowledge-tools/service.ts'
import { defaultModel, models } from '../../models/service.ts'
import { promptFrom } from '../../prompt-templates/service.ts'
import { openJudge } from '../scorers/judge.ts'
import type { SettledScorer } from '../scorers/scorers.ts'
import type { EvaluationRow } from '../service.ts'

interface Pinned {
  scorers: SettledScorer[]
  /** A copy of the target. */
  target: unknown
  version: number | null
}

/** Pins the target and the judges of a run, so that all cases use the same ones. */
export async function pin(tx: Db, who: Caller, evaluation: EvaluationRow, version?: number): Promise<Pinned> {
  const scorers: SettledScorer[] = []
  for (const scorer of evaluation.scorers as SettledScorer[]) scorers.push(await pinJudge(tx, who, scorer))
  return { scorers, ...(await pinTarget(tx, who, evaluation, version)) }
}

async function pinTarget(
  tx: Db,
  who: Caller,
  { type, target_id: id }: EvaluationRow,
  version: number | undefined,
): Promise<Omit<Pinned, 'scorers'>> {
  if (version !== undefined && type !== 'agent') invalid('target_version', 'is only for evaluations of agents')
  switch (type) {
    case 'agent': {
      const agent = await pinAgent(tx, who, id, version)
      return { target: agent, version: agent.version }
    }
    case 'model': {
      const model = (await models.find(tx, who, id)) ?? null
      return { target: model, version: model?.revision ?? null }
    }
    case 'rag_tool':
    case 'retrieval_tool': {
      const pinned = await pinTool(tx, who, type === 'rag_tool' ? ragTools : retrievalTools, id)
      return { target: pinned, version: pinned?.tool.revision ?? null }
    }
  }
}

async function pinJudge(tx: Db, who: Caller, scorer: SettledScorer): Promise<SettledScorer> {
  if (scorer.type !== 'llm_judge') return scorer
  const named = scorer.config.model_id
  const { id } = await openJudge(tx, who, 'scorers.config.model_id', typeof named === 'string' ? named : undefined)
  return { ...scorer, config: { ...scorer.config, model_id: id } }
}

/** The agent in a version, or the newest one, with its prompt text and its model resolved. */
async function pinAgent(tx: Db, who: Caller, id: string, version: number | undefined): Promise<AgentRow> {
  const newest = (await agents.find(tx, who, id)) ?? unknownReference('target_id', 'agent', id)
  if (newest.status === 'archived') invalid('target_id', 'is an archived agent')
  const agent = await agentVersion(tx, who, newest, version ?? newest.version)
  const template = agent.prompt_template_id
  return {
    ...agent,
    system_prompt:
      template === null ? agent.system_prompt : await promptFrom(tx, who, template, agent.prompt_variables),
    prompt_template_id: null,
    resolved_model_id: agent.resolved_model_id ?? (await defaultModel(tx, who, 'chat')).id,
  }
}
