package dev.abacus.schemas.redaction;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import dev.abacus.schemas.document.Document;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is hidden in the documents of a source before anything outside of the topics of their owner
 * sees them: models, embedders, samples, journeys.
 *
 * @param kinds at least one, in the order of the enum
 * @param regions the countries of telephone numbers without one, as two letters (ISO 3166); empty
 *     if only numbers with {@code +} count
 * @param restore whether results have the values in place of the tokens
 */
public record Redaction(
    List<PersonalData> kinds,
    List<String> regions,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean restore) {

  public Redaction {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("'redact' names no kind of personal data");
    }
    if (!regions.isEmpty() && !kinds.contains(PersonalData.PHONE)) {
      throw new IllegalArgumentException("'regions' are about telephone numbers; add phone");
    }
    kinds = List.copyOf(EnumSet.copyOf(kinds));
    regions = regions.stream().distinct().toList();
  }

  /** The regions whose telephone numbers are known. */
  public static Set<String> knownRegions() {
    return new TreeSet<>(PhoneNumberUtil.getInstance().getSupportedRegions());
  }

  /**
   * The redaction of documents that may come from any of several sources: the kinds of all,
   * restored if all are. Null if none is redacted.
   */
  public static @Nullable Redaction ofAll(Collection<Redaction> all) {
    if (all.isEmpty()) {
      return null;
    }
    return new Redaction(
        all.stream().flatMap(one -> one.kinds().stream()).toList(),
        all.stream().flatMap(one -> one.regions().stream()).toList(),
        all.stream().allMatch(Redaction::restore));
  }

  /** A document with tokens in place of personal data. */
  public RedactedDocument of(Document document) {
    return RedactedDocument.of(this, document);
  }

  /** {@code email, phone (DE); results have the values}. */
  @Override
  public String toString() {
    return kinds.stream().map(PersonalData::label).collect(Collectors.joining(", "))
        + (regions.isEmpty() ? "" : " (" + String.join(", ", regions) + ")")
        + "; results have the "
        + (restore ? "values" : "tokens");
  }
}
