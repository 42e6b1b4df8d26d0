import type { Schemas } from '@parley/client'
import { count } from '../../ui/format.ts'
import { priceText } from './prices.ts'

type Available = Schemas['AvailableModels']['models'][number]

interface ModelListProps {
  models: readonly Available[]
  /** The chosen model, or a part of the name that is looked for. */
  value: string
  onChoose: (id: string) => void
}

const maxShown = 50

/** The models that a provider offers, with price and context. Typing a part of a name shows the ones that match. */
export function ModelList({ models, value, onChoose }: ModelListProps) {
  const isChosen = models.some(({ model_id: id }) => id === value)
  const wanted = isChosen ? '' : value.trim().toLowerCase()
  const found = models.filter(({ model_id: id }) => id.toLowerCase().includes(wanted))
  if (models.length === 0) return null
  return (
    <fieldset className="model-list">
      <legend className="visually-hidden">Models of the provider</legend>
      {found.slice(0, maxShown).map((model) => (
        <label key={model.model_id}>
          <input
            type="radio"
            name="offered-model"
            checked={model.model_id === value}
            onChange={() => onChoose(model.model_id)}
          />
          <span className="name">{model.model_id}</span>
          <span className="muted small">
            {model.context_window !== null && `${count(model.context_window)} tokens · `}
            {priceText(model.pricing)}
          </span>
        </label>
      ))}
      {found.length > maxShown && (
        <p className="muted small">{count(found.length - maxShown)} more. Type a part of the name to find them.</p>
      )}
      {found.length === 0 && <p className="muted small">The provider lists no such model.</p>}
    </fieldset>
  )
}
