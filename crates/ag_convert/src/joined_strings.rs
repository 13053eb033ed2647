//! f-strings: every value is formatted by an operator, since it may be staged.
//!
//! ```python
//! f"x = {x!r:>{w}}"    ag__.joined_str('x = ', ag__.formatted(x, 'r', ag__.joined_str('>', …)))
//! f"{x=}"              ag__.joined_str('x=', ag__.formatted(x, 'r', ''))
//! ```

use ag_errors::Span;
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, FStringPart};

use crate::context::Conversion;

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let span = expr.span;
    let ExprKind::FString(string) = &mut expr.kind else { return };
    let has_values = string.parts.iter().any(|part| matches!(part, FStringPart::Interpolation { .. }));
    if string.is_template || !has_values {
        return;
    }
    let parts = std::mem::take(&mut string.parts);
    *expr = joined(parts, span, conversion);
}

fn joined(parts: Vec<FStringPart>, span: Span, conversion: &mut Conversion) -> Expr {
    let mut args = Vec::new();
    for part in parts {
        match part {
            FStringPart::Literal(text) => {
                args.push(conversion.builder(span).constant(ConstantKind::Str, &text))
            }
            FStringPart::Interpolation { value, conversion: letter, spec, debug } => {
                // `{x=}` means `repr`, unless it has a conversion or a format.
                let is_plain = letter.is_none() && spec.is_none();
                let letter = if debug.is_some() && is_plain { Some('r') } else { letter };
                let b = conversion.builder(span);
                args.extend(debug.map(|text| b.constant(ConstantKind::Str, &text)));
                let letter = letter.map_or_else(|| b.none(), |letter| b.string(&letter.to_string()));
                let spec = spec_value(spec, span, conversion);
                args.push(conversion.call(span, "formatted", [value, letter, spec]));
            }
        }
    }
    conversion.call(span, "joined_str", args)
}

fn spec_value(spec: Option<Vec<FStringPart>>, span: Span, conversion: &mut Conversion) -> Expr {
    match spec.as_deref() {
        None | Some([]) => conversion.builder(span).string(""),
        Some([FStringPart::Literal(text)]) => conversion.builder(span).constant(ConstantKind::Str, text),
        Some(_) => joined(spec.unwrap_or_default(), span, conversion),
    }
}
