//! What Zed asks of the extension: with which command the language server starts.

use zed_extension_api as zed;

struct Blazon;

impl zed::Extension for Blazon {
    fn new() -> Self {
        Self
    }

    /// The program is `blazon` on the path, or what the settings say: `"lsp": { "blazon": { "binary": { "path": … } } }`.
    ///
    /// # Errors
    /// What to do if there is none.
    fn language_server_command(
        &mut self,
        server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let binary = zed::settings::LspSettings::for_worktree(server.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which("blazon")).ok_or(
            "the program `blazon` is not found: put it on the path, or set lsp.blazon.binary.path in the settings",
        )?;
        Ok(zed::Command { command, args: arguments.unwrap_or_else(|| vec!["lsp".into()]), env: Vec::new() })
    }
}

zed::register_extension!(Blazon);
