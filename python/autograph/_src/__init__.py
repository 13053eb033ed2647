"""The implementation. Nothing here is public: it may change in any release."""
