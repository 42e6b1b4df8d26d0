import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, SkipForward, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import ReplyScores from '../../chat/reply-scores.tsx'
import { useForm } from '../../parts/form.ts'
import { PersonField } from '../../parts/person-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Review, reasonLabels } from './labels.ts'

interface ReviewFormProps {
  review: Review
  onNext: () => void
}

/** The evaluation that was chosen last, for the reviews after it. */
let lastEvaluation = ''

/** One reply and the verdict about it: G good, B bad, E the right answer, N the next one. */
export function ReviewForm({ review, onNext }: ReviewFormProps) {
  const mayWrite = useMay()('write-configuration')
  const answer = useRef<HTMLDivElement>(null)
  const evaluations = useEvaluations(mayWrite)
  const form = useForm({
    saved: {
      expected_output: review.expected_output ?? '',
      comment: review.comment ?? '',
      tags: review.tags,
      evaluation_id: lastEvaluation,
    },
    invalidates: [],
    run: () => Promise.resolve(null),
  })
  const decide = useSave({
    invalidates: ['reviews'],
    run: (verdict: 'good' | 'bad') => {
      const { expected_output, comment, tags, evaluation_id: chosen } = form.draft
      lastEvaluation = chosen
      const evaluation = evaluations.find(({ id }) => id === chosen)
      return parley.reviews.decide(review.id, {
        verdict,
        tags,
        expected_output: expected_output.trim() || null,
        comment: comment.trim() || null,
        evaluation_id: evaluation?.id ?? null,
      })
    },
    toast: ({ verdict, evaluation_id }) =>
      evaluation_id ? `Marked as ${verdict}, test case added` : `Marked as ${verdict}`,
  })
  const keys: Record<string, () => void> = {
    n: onNext,
    ...(mayWrite &&
      !decide.isPending && {
        g: () => decide.mutate('good'),
        b: () => decide.mutate('bad'),
        e: () => answer.current?.querySelector('textarea')?.focus(),
      }),
  }
  useKeys(keys)
  return (
    <>
      <Exchange review={review} />
      {mayWrite && (
        <Card title="Your verdict">
          <div ref={answer}>
            <TextArea
              label="The right answer"
              hint="What the reply should have said. Press E to write, Escape to leave."
              {...form.field('expected_output')}
            />
          </div>
          <div className="columns">
            <TextArea label="Comment" rows={2} {...form.field('comment')} />
            <TagsField label="Tags" {...form.field('tags')} />
            <SelectField
              label="Add as a test case to"
              {...form.field('evaluation_id')}
              options={[{ value: '', label: 'No evaluation' }, ...toOptions(evaluations)]}
            />
          </div>
          <div className="row">
            <Button icon={Check} variant="primary" busy={decide.isPending} onClick={keys.g}>
              Good <kbd aria-hidden>G</kbd>
            </Button>
            <Button icon={X} busy={decide.isPending} onClick={keys.b}>
              Bad <kbd aria-hidden>B</kbd>
            </Button>
            <Button icon={SkipForward} variant="quiet" onClick={onNext}>
              Next <kbd aria-hidden>N</kbd>
            </Button>
          </div>
          <Assignment review={review} />
        </Card>
      )}
    </>
  )
}

function useEvaluations(isEnabled: boolean) {
  const { data = [] } = useQuery({
    queryKey: ['evaluations', 'agents'],
    queryFn: ({ signal }) => parley.evaluations.list({ type: 'agent', limit: 100, sort: 'name' }, { signal }).all(100),
    enabled: isEnabled,
  })
  return data
}

/** Single keys, except while one writes. Escape leaves a field. */
function useKeys(keys: Record<string, () => void>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isWriting = target.matches('input, textarea, select, [contenteditable]')
      if (isWriting && event.key === 'Escape') target.blur()
      // Notifications have this role, too.
      const isOpen = document.querySelector('[role="dialog"]:not(.toasts *)') !== null
      if (isWriting || isOpen || event.ctrlKey || event.metaKey || event.altKey) return
      const act = current.current[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function Exchange({ review }: { review: Review }) {
  const { question, reply, error, feedback, scores, withheld, verdict } = review
  return (
    <Card>
      <div className="row spread">
        <span className="row">
          <Badge tone={review.reason === 'sampled' || review.reason === 'manual' ? 'plain' : 'warn'}>
            {reasonLabels[review.reason]}
          </Badge>
          {verdict && <Badge tone={verdict === 'good' ? 'good' : 'bad'}>{verdict}</Badge>}
          <span className="muted small">
            <Ago at={review.created_at} />
          </span>
        </span>
        <Link className="small" to={`/conversations/${review.conversation_id}`} search={{ message: review.message_id }}>
          Open conversation
        </Link>
      </div>
      {withheld ? (
        <p className="notice warn">
          <TriangleAlert aria-hidden size={16} />
          <span>The reply is not shown: it rests on documents that you may not see.</span>
        </p>
      ) : (
        <>
          <Part title="Question">{question}</Part>
          <Part title="Reply">
            {reply ? <Markdown text={reply} /> : <span className="muted">No text</span>}
            {error && <p className="notice bad">{error}</p>}
          </Part>
        </>
      )}
      {feedback?.comment && <Part title="Feedback">{feedback.comment}</Part>}
      {scores && scores.length > 0 && <ReplyScores scores={scores} />}
    </Card>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="stack">
    <h3 className="muted small">{title}</h3>
    <div className="review-text">{children}</div>
  </div>
)

/** Gives a review to a person, or back to everyone. */
function Assignment({ review: { id, assigned_to } }: { review: Review }) {
  const { data: me } = useMe()
  const personName = usePersonName()
  const [person, setPerson] = useState('')
  const assign = useSave({
    invalidates: ['reviews'],
    run: (to: string | null) => parley.reviews.update(id, { assigned_to: to }),
    toast: ({ assigned_to: to }) => (to ? `Assigned to ${personName(to)}` : 'Assigned to nobody'),
  })
  if (assigned_to)
    return (
      <span className="row">
        <span className="muted small">Assigned to {personName(assigned_to)}</span>
        <Button small variant="quiet" busy={assign.isPending} onClick={() => assign.mutate(null)}>
          Unassign
        </Button>
      </span>
    )
  const to = person.trim() || me?.user_id
  return (
    <div className="toolbar">
      <PersonField label="Assign to" value={person} onChange={setPerson} />
      <Button small variant="quiet" disabled={!to} busy={assign.isPending} onClick={() => assign.mutate(to ?? null)}>
        {person.trim() ? 'Assign' : 'Assign to me'}
      </Button>
    </div>
  )
}
