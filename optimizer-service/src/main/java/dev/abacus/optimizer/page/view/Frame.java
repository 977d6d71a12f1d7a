package dev.abacus.optimizer.page.view;

import org.jspecify.annotations.Nullable;

/**
 * What surrounds every page.
 *
 * @param title of the browser's window
 * @param path of this page
 * @param toggled the same page, updating itself if this one does not
 * @param live whether the page updates itself
 * @param user name of the visitor; empty without a session
 * @param steers whether the visitor may change something
 * @param csrf token of forms; empty without a session
 * @param reviews number of labels that are waited for; null if the program of the page asks for
 *     none
 * @param notice result of the last change; empty for none
 * @param error why the last change was refused; empty for none
 */
public record Frame(
    String title,
    String path,
    String toggled,
    boolean live,
    String user,
    boolean steers,
    String csrf,
    @Nullable Integer reviews,
    String notice,
    String error) {

  public boolean signedIn() {
    return !user.isEmpty();
  }
}
