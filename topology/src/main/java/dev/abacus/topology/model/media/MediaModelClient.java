package dev.abacus.topology.model.media;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.Pdf;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the files of requests into what endpoints take, within a {@link MediaPolicy}: fetches them
 * if the policy says so, and shows PDFs as images of their pages. It stands behind the retries,
 * which also repeat failed fetches, and behind the receipts, whose hash contains the address and
 * not the file, and the PDF and not its images.
 */
public final class MediaModelClient implements ModelClient {

  private static final String DATA = "data:";
  private static final long CACHE_CHARACTERS = 64L << 20;

  private final ModelClient next;
  private final MediaPolicy policy;
  private final MediaFetcher fetcher;

  /** Pages by the Base64 of their PDF, by identity: the calls about a document share it. */
  private final Cache<String, List<Media.Content>> pages =
      Caffeine.newBuilder()
          .weakKeys()
          .maximumWeight(CACHE_CHARACTERS)
          .weigher((String _, List<Media.Content> images) ->
              images.stream().mapToInt(image -> image.base64().length()).sum())
          .build();

  /** The client with the policy in front. */
  public MediaModelClient(ModelClient next, MediaPolicy policy) {
    this.next = next;
    this.policy = policy;
    this.fetcher = new MediaFetcher(policy);
  }

  /** The parts to send for a file, or the reason why it is unavailable. */
  private sealed interface Resolved {
    record Usable(List<Content> parts) implements Resolved {}

    record Unavailable(ModelFailure failure) implements Resolved {}
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    if (request.content().stream().allMatch(Content.Text.class::isInstance)) {
      return next.call(request);
    }
    long start = System.nanoTime();
    List<Content> content = new ArrayList<>();
    for (Content part : request.content()) {
      Resolved resolved =
          switch (part) {
            case Content.Text text -> new Resolved.Usable(List.of(text));
            case Content.Attachment(Media.Reference reference) -> resolve(reference);
            case Content.Attachment(Media.Content file) -> checked(file);
          };
      switch (resolved) {
        case Resolved.Usable(List<Content> parts) -> content.addAll(parts);
        case Resolved.Unavailable(ModelFailure failure) -> {
          return new ModelAnswer.Failed(failure, ExecutionStats.ofSeconds(secondsSince(start)));
        }
      }
    }
    double fetching = secondsSince(start);
    return next.call(request.withContent(content)).after(ExecutionStats.ofSeconds(fetching));
  }

  private Resolved resolve(Media.Reference reference) throws InterruptedException {
    String uri = reference.uri();
    if (uri.startsWith(DATA)) {
      return inline(uri);
    }
    URI address;
    try {
      address = URI.create(uri);
    } catch (IllegalArgumentException e) {
      return unavailable("the address of the file is not a URI", false);
    }
    String refusal = policy.refusal(address);
    if (refusal != null) {
      return unavailable(shown(address) + ": " + refusal, false);
    }
    if (policy.fetched()) {
      return switch (fetcher.fetch(address)) {
        case MediaFetcher.Result.File(Media.Content file) -> checked(file);
        case MediaFetcher.Result.None(String reason, boolean retryable) ->
            unavailable(shown(address) + ": " + reason, retryable);
      };
    }
    return reference.kind() == Media.Kind.IMAGE
        ? new Resolved.Usable(List.of(new Content.Attachment(reference)))
        : unavailable(
            "%s: endpoints fetch images only; name the host of this %s in abacus.media.hosts"
                .formatted(shown(address), reference.kind().noun()),
            false);
  }

  /** What is sent for a file, if it is allowed. */
  private Resolved checked(Media.Content file) {
    String refusal = policy.refusal(file);
    String type = file.detectedType();
    if (refusal != null || type == null) {
      return unavailable(String.valueOf(refusal), false);
    }
    if (file.kind() != Media.Kind.PDF) {
      return new Resolved.Usable(List.of(Content.of(type, file.base64())));
    }
    try {
      return new Resolved.Usable(pages(file));
    } catch (InvalidDocumentException e) {
      return unavailable(String.valueOf(e.getMessage()), false);
    }
  }

  private List<Content> pages(Media.Content pdf) throws InvalidDocumentException {
    List<Media.Content> images = pages.getIfPresent(pdf.base64());
    if (images == null) {
      images = Pdf.images(pdf.bytes(), policy.maxPages());
      pages.put(pdf.base64(), images);
    }
    List<Content> parts = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      parts.add(new Content.Text("(page %d of %d)".formatted(i + 1, images.size())));
      parts.add(new Content.Attachment(images.get(i)));
    }
    return parts;
  }

  /** The file of {@code data:image/png;base64,…}. */
  private Resolved inline(String uri) {
    int comma = uri.indexOf(',');
    String head = comma < 0 ? "" : uri.substring(DATA.length(), comma);
    String base64 = uri.substring(comma + 1);
    return head.endsWith(";base64") && Media.isBase64(base64)
        ? checked(new Media.Content(head.substring(0, head.indexOf(';')), base64))
        : unavailable("the data URI contains no file in Base64", false);
  }

  private static Resolved unavailable(String message, boolean retryable) {
    return new Resolved.Unavailable(new ModelFailure.MediaUnavailable(message, retryable));
  }

  /** The address without user and query, which may hold a key. */
  private static String shown(URI address) {
    String shown =
        "%s://%s%s".formatted(address.getScheme(), address.getHost(), address.getRawPath());
    return shown.length() <= 200 ? shown : shown.substring(0, 200) + "…";
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
