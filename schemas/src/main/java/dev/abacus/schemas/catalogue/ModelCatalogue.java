package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The models that programs may use. The resource {@code models.json} has the built-in ones; {@link
 * #extendedBy(Path)} adds models or replaces built-in models with the same name.
 */
public final class ModelCatalogue {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
          .build();

  private final Map<String, ModelCard> cards;

  /** The cards of models at their tiers, by the names of these. */
  private final Map<String, ModelCard> atTiers = new HashMap<>();

  private ModelCatalogue(Map<String, ModelCard> cards) {
    this.cards = Collections.unmodifiableMap(cards);
    for (ModelCard card : cards.values()) {
      card.atTiers().forEach(one -> atTiers.put(one.name(), one));
    }
  }

  /** The built-in models. */
  public static ModelCatalogue builtIn() {
    try (InputStream resource =
        Objects.requireNonNull(ModelCatalogue.class.getResourceAsStream("models.json"))) {
      return of(List.of(JSON.readValue(resource, ModelCard[].class)));
    } catch (IOException e) {
      throw new UncheckedIOException("the built-in models.json cannot be read", e);
    }
  }

  public static ModelCatalogue of(List<ModelCard> models) {
    Map<String, ModelCard> cards = new LinkedHashMap<>();
    models.forEach(card -> cards.put(card.name(), card));
    return new ModelCatalogue(cards);
  }

  /**
   * This catalogue with the cards of a file: a JSON list of the form of {@code models.json}.
   *
   * @throws IllegalArgumentException if the file is unreadable or invalid; the message names the
   *     line
   */
  public ModelCatalogue extendedBy(Path file) {
    Map<String, ModelCard> all = new LinkedHashMap<>(cards);
    try {
      ModelCard @Nullable [] read = JSON.readValue(Files.readAllBytes(file), ModelCard[].class);
      if (read == null || Arrays.asList(read).contains(null)) {
        throw new IllegalArgumentException("model catalogue " + file + " has null for a card");
      }
      for (ModelCard card : read) {
        all.put(card.name(), card);
      }
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "model catalogue %s, line %d: %s"
              .formatted(
                  file, e.getLocation() == null ? 0 : e.getLocation().getLineNr(), mistake(e)),
          e);
    } catch (IOException e) {
      throw new IllegalArgumentException("model catalogue " + file + " cannot be read: " + e, e);
    }
    return new ModelCatalogue(all);
  }

  /** What is wrong, without the names of classes. */
  private static String mistake(JacksonException e) {
    return switch (e) {
      case PropertyBindingException unknown ->
          "there is no key '%s'".formatted(unknown.getPropertyName());
      case ValueInstantiationException _
          when e.getCause() instanceof IllegalArgumentException card ->
          String.valueOf(card.getMessage());
      default -> e.getOriginalMessage();
    };
  }

  /** The card with this name, or of this name at its {@linkplain ServiceTier tier}, or null. */
  public @Nullable ModelCard find(String name) {
    ModelCard card = cards.get(name);
    return card == null ? atTiers.get(name) : card;
  }

  /**
   * What the tokens of a call cost at each service tier of its model.
   *
   * @param name of the model, at whatever tier
   * @return USD by the text of the tier, {@link ServiceTier#STANDARD} included; empty if the model
   *     has no tiers or is not known
   */
  public Map<String, Double> costAtTiers(String name, TokenCounts tokens) {
    ModelCard card = cards.get(ServiceTier.standard(name));
    Map<String, Double> costs = new HashMap<>();
    if (card != null && !card.tiers().isEmpty()) {
      costs.put(ServiceTier.STANDARD, card.cost(tokens));
      card.atTiers().forEach(one -> costs.put(ServiceTier.textOf(one.name()), one.cost(tokens)));
    }
    return costs;
  }

  /**
   * The card with this name.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public ModelCard get(String name) {
    ModelCard card = find(name);
    if (card == null) {
      throw new IllegalArgumentException(
          "no model '"
              + name
              + "' in the catalogue; there are "
              + String.join(", ", cards.keySet()));
    }
    return card;
  }

  /** Names of all models, in catalogue order. */
  public List<String> names() {
    return List.copyOf(cards.keySet());
  }

  /**
   * The chat models that a program may call.
   *
   * @param named the models that it names; empty for all of this catalogue
   * @param tiers texts of the tiers that it allows for models that it names without a tier; empty
   *     for the standard tier
   * @return each named model at each of these tiers that its card has
   */
  public List<String> chatModels(List<String> named, List<String> tiers) {
    List<String> models =
        named.isEmpty()
            ? ofKind(ModelCard.Kind.CHAT).stream().map(ModelCard::name).toList()
            : named;
    return models.stream()
        .flatMap(model ->
            tiers.isEmpty() || ServiceTier.named(model) != null
                ? Stream.of(model)
                : tiers.stream()
                    .map(tier -> ServiceTier.at(model, tier))
                    .filter(one -> one.equals(model) || find(one) != null))
        .distinct()
        .toList();
  }

  /** All models of one kind, in catalogue order. */
  public List<ModelCard> ofKind(ModelCard.Kind kind) {
    return cards.values().stream().filter(card -> card.kind() == kind).toList();
  }
}
