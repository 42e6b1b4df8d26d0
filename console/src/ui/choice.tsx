interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** One of a few options, side by side. */
export const Choice = <Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row with what follows it
  <div className="choice" role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
)
