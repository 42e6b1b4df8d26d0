import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem, unknownReference } from '../../../kernel/errors.ts'
import { inputImages } from '../../../kernel/llm/input-parts.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import type { ModelRow } from '../../models/service.ts'
import { seesImages } from '../../models/service.ts'
import { isImage } from '../../runs/history.ts'
import type { Attachment } from '../../runs/schema.ts'
import { isOwn } from './service.ts'
import { findFiles } from './store.ts'

/** The files that a message names, if the caller may attach them. */
export async function attachedFiles(
  ctx: Context,
  who: Caller,
  attachments: readonly { file_id: string }[],
): Promise<Attachment[]> {
  const ids = attachments.map(({ file_id }) => file_id)
  const known = await findFiles(ctx.db, who.workspace, ids)
  return ids.map((file_id, at) => {
    const field = `attachments[${at}].file_id`
    const file = known.get(file_id)
    if (!file || !isOwn(who, file)) return unknownReference(field, 'file', file_id)
    if (ids.indexOf(file_id) !== at) invalid(field, 'is listed twice')
    const { name, media_type, size } = file
    return { file_id, name, media_type, size }
  })
}

/** Refuses images that the model of the agent cannot see. */
export function requireSight(model: ModelRow, attachments: readonly Attachment[]): void {
  if (attachments.some(isImage)) refuseUnlessSeen(model)
}

/** Refuses to answer a question again if the model cannot see its images. */
export function refuseUnseenImages(model: ModelRow, question: ModelMessage | undefined): void {
  if (question && inputImages(question).length > 0) refuseUnlessSeen(model)
}

function refuseUnlessSeen(model: ModelRow): void {
  if (seesImages(model)) return
  const message = `The model "${model.name}" (${model.model_id}) does not take images.`
  const advice = 'Choose another model for the agent, or add "image" to its input_modalities if it does.'
  throw new Problem('unsupported_input', `${message} ${advice}`, { details: [{ path: 'attachments', message }] })
}
